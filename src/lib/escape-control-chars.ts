/** Control characters, and characters that reorder or hide the text around them. An agent's command may contain any of them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\u001b': '\\e' }

/** Escapes a text for one line of a terminal: characters that would control the terminal are written out. */
export const escapeControlChars = (text: string): string => text.replace(UNSEEN, sign => SHORT[sign] ?? escaped(sign))

const escaped = (sign: string): string =>
  Array.from({ length: sign.length }, (_, nth) => `\\u${sign.charCodeAt(nth).toString(16).padStart(4, '0')}`).join('')

/** JSON leaves some of these characters unescaped; escaped, it is the same JSON. Line breaks stand only between its parts and stay. */
export const escapeControlCharsInJson = (json: string): string =>
  json.replace(UNSEEN, sign => (sign === '\n' ? sign : escaped(sign)))
