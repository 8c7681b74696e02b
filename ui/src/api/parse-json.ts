/** Signs that hide, or turn round what stands beside them: a command of an agent must not read as another one. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/gu
/** In JSON as it is sent: control characters are written out there. */
const SUSPECT = /\\u00[01]|[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/
const KEPT = new Set(['\n', '\r', '\t'])

const shown = (text: string): string =>
  text.replace(UNSEEN, sign => (KEPT.has(sign) ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`))

/** What the server said, with such signs written out. Hardly ever there is one. */
export const parseJson = <T>(json: string): T =>
  SUSPECT.test(json)
    ? JSON.parse(json, (_, value) => (typeof value === 'string' ? shown(value) : value))
    : JSON.parse(json)
