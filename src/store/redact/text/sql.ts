import { REDACTED } from './tokens.ts'

/** SQL strings, also within shell quotes: `'x'`, `E'x'`, `'\''x'\''`, `'"'x'"'`, `$$x$$`. */
const SINGLE_QUOTED = `'(?:\\\\''|"')[^'\\n]+(?:'(?:\\\\''|"'"?'?))?|"'[^'\\n]+'"?|E?'[^'\\n]+'?|(?:\\\\?\\$){2}[^$\\n\\\\]+(?:(?:\\\\?\\$){2})?`
/** Strings in MySQL, and names in Oracle; escaped if the statement is itself in double quotes. */
const DOUBLE_QUOTED = `\\\\"[^"\\n]+"?|"(?!\\s)[^"\\n]+"?`
const IDENTIFIED =
  'identified(?:\\s{1,3}(?:with|via)\\s{1,3}[^\\s]{1,60})?\\s{1,3}(?:by|using|as)(?:\\s{1,3}(?:password|values))?'
const CREATE_USER = '\\b(?:create|alter)\\s{1,3}(?:user|role)\\s{1,3}[^\\s]{1,100}\\s{1,3}'

const PASSWORD = new RegExp(`(\\bpassword(?:\\s{1,3}|\\s{0,3}\\(\\s{0,3}))(?:${SINGLE_QUOTED})`, 'gi')
/** The key of an encrypted database. */
const PRAGMA_KEY = new RegExp(
  `(\\bpragma\\s{1,3}(?:re)?key\\s{0,3}=\\s{0,3})(?:${SINGLE_QUOTED}|${DOUBLE_QUOTED})`,
  'gi',
)
const SET_PASSWORD = new RegExp(
  `(\\bpassword\\s{1,3}for\\s{1,3}[^\\s=]{1,100}\\s{0,3}=\\s{0,3})(?:${SINGLE_QUOTED}|${DOUBLE_QUOTED})`,
  'gi',
)
const IDENTIFIED_BY = new RegExp(
  `(\\b${IDENTIFIED}(?:\\s{1,3}|\\s{0,3}\\(\\s{0,3}))(?:${SINGLE_QUOTED}|${DOUBLE_QUOTED})`,
  'gi',
)
/** A password without quotes, as in Oracle or after a shell removed them. Requires a digit, to exclude prose. */
const UNQUOTED_PASSWORD = new RegExp(
  `(${CREATE_USER}(?:${IDENTIFIED}\\s{1,3}|(?:(?:with|login|encrypted)\\s{1,3}){0,3}password\\s{1,3}(?=[^\\s"']{0,60}\\d)))(?![$<…"'[\\\\])[^\\s"'\`;,\\\\]+`,
  'gi',
)

/** `ALTER USER a WITH PASSWORD 'x'`, `CREATE USER a IDENTIFIED BY "x"` */
export function redactSql(text: string): string {
  const bare = /password/i.test(text)
    ? text.replace(PASSWORD, `$1${REDACTED}`).replace(SET_PASSWORD, `$1${REDACTED}`)
    : text
  const keyless = /pragma\s/i.test(bare) ? bare.replace(PRAGMA_KEY, `$1${REDACTED}`) : bare
  const known = /identified\s/i.test(keyless) ? keyless.replace(IDENTIFIED_BY, `$1${REDACTED}`) : keyless
  return /(?:user|role)\s/i.test(known) ? known.replace(UNQUOTED_PASSWORD, `$1${REDACTED}`) : known
}
