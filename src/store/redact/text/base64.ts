import { REDACTED } from '../span.ts'

const BASE64_WORD = /(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])/g
const PRINTABLE = /^[\t\r\n -~]+$/
/** Encoded secrets are a line or two long. Of a longer text only the beginning is decoded. */
const MAX_DECODED = 8_192

/** Redacts base64 that decodes to text with a secret. Other words of these letters do not decode to printable text. */
export const redactBase64 = (text: string, redact: (text: string) => string): string =>
  text.replace(BASE64_WORD, word => {
    const inner = Buffer.from(word.slice(0, MAX_DECODED), 'base64').toString('latin1')
    return PRINTABLE.test(inner) && redact(inner) !== inner ? REDACTED : word
  })
