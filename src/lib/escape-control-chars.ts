/** Control characters, and signs that turn or hide what stands around them: an agent's command may hold any. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\e' }

/** As it may be shown at a terminal, in one line: what would steer it is written out. */
export const escapeControlChars = (text: string): string => text.replace(UNSEEN, sign => SHORT[sign] ?? escaped(sign))

const escaped = (sign: string): string =>
  Array.from({ length: sign.length }, (_, nth) => `\\u${sign.charCodeAt(nth).toString(16).padStart(4, '0')}`).join('')

/** JSON leaves some of them as they are; written out they are the same JSON. Its own line breaks stand between its parts only. */
export const escapeControlCharsInJson = (json: string): string =>
  json.replace(UNSEEN, sign => (sign === '\n' ? sign : escaped(sign)))
