/** Characters that hide or reverse the text beside them: an agent's command must not look like another one. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/gu
/** A quick test of the raw JSON, in which control characters are escaped. */
const SUSPECT = /\\u00[01]|[\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/
const PRINTABLE_CONTROLS = new Set(['\n', '\r', '\t'])

const shown = (text: string): string =>
  text.replace(UNSEEN, sign =>
    PRINTABLE_CONTROLS.has(sign) ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Parses the server's JSON with such characters written as escapes. They are rare. */
export const parseJson = <T>(json: string): T =>
  SUSPECT.test(json)
    ? JSON.parse(json, (_, value) => (typeof value === 'string' ? shown(value) : value))
    : JSON.parse(json)
