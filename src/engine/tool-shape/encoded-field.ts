import type { JsonObject } from '../../lib/json.ts'

/** An encoding at either end of a field's name: `command_base64`, `b64Content`, `cmdHex`, `encoded_script`. */
const ENCODING =
  /^(?:base64|b64|hex|encoded)(?:[_-]|(?=[A-Z]))|(?:[_-](?:base64|b64|hex|encoded)|Base64|B64|Hex|Encoded)$/
const SAYS_HOW = /^((transfer|content|command|text)?[_-]?encoding|encoded[_-]?as|format|codec)$/i
const ENCODINGS = /^(base[_-]?(64|32|85)(url)?|b64|hex|gzip|deflate|rot13|uu)$/i

export const withoutEncodingSuffix = (name: string): string => name.replace(ENCODING, '')

/** Does this field hold an encoded form of what is run or written? */
export const isEncodedField = (record: JsonObject, name: string): boolean =>
  withoutEncodingSuffix(name) !== name || declaresEncoding(record)

export const declaresEncoding = (record: JsonObject): boolean =>
  Object.entries(record).some(
    ([name, value]) => SAYS_HOW.test(name) && typeof value === 'string' && ENCODINGS.test(value),
  )
