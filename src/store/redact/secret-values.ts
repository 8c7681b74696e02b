/** The end of a plain word or a number. */
const VALUE_END = '(?:["\'`\\s&;,)}\\]|<\\\\]|$)'
/** A reference, a placeholder, or something already redacted. */
const REFERENCE = `\\$[{(]|<(?:[\\s<]|[\\w .-]{1,60}>)|[{(…]|\\*\\*\\*|%\\w{1,60}%|\\[redacted\\]`
const PLAIN_WORD = `(?:true|false|null|nil|none|undefined|yes|no|on|off|string|str|bool(?:ean)?|int(?:eger)?|number|text|any|unknown|required|optional|\\d)${VALUE_END}`
/** Code that reads a secret: `process.env.X`, `getToken()`. */
const CODE_EXPRESSION =
  '(?:process|os|config|args|self|this|req|options|opts|settings|env|secrets|vars?|params|props|import|data|local)\\.[a-z_]|(?:await|new)\\s|[a-z_][\\w.]{0,60}\\([^)\\s]{0,60}\\)'
const FILE_PATH = '(?:~|\\.{1,2})/|/(?:run|etc|home|var|tmp|usr|opt|root|users|mnt|secrets|dev|proc)/'

/** In single quotes, a shell does not expand variables. */
const VARIABLE = `["\`]?\\$\\w+(?:[/.:]|${VALUE_END})`
/** A reference, a placeholder, a plain word of code, or a file path; in lower case. */
const NOT_A_SECRET = new RegExp(
  `^(?:["'\`]?(?:${REFERENCE}|${PLAIN_WORD}|${CODE_EXPRESSION}|${FILE_PATH})|${VARIABLE})`,
)
const NUMBER = new RegExp(`^["'\`]?\\d{2,5}${VALUE_END}`)

/** Whether the value here can be a secret. A short number is not a secret, unless it is a password. */
export function isSecretValueAt(text: string, at: number, name: string): boolean {
  if (isClosingQuote(text, at)) return false
  const begins = text.slice(at, at + 130).toLowerCase()
  return !NOT_A_SECRET.test(begins) && (name.includes('pass') || !NUMBER.test(begins))
}

/** `grep "token:" f`: this quote closes the text that contains the name, and opens no value. */
function isClosingQuote(text: string, at: number): boolean {
  const quote = text[at] ?? ''
  if (!/["'`]/.test(quote) || !/^[\s)\];,]?$/.test(text[at + 1] ?? '')) return false
  let inside = false
  for (let before = at - 1; before >= 0 && before > at - MAX_LOOKBEHIND && text[before] !== '\n'; before -= 1)
    if (text[before] === quote) inside = !inside
  return inside
}
const MAX_LOOKBEHIND = 200

// An unclosed quote was truncated.
const QUOTED = '\\\\"[^"\\n]+"?|"(?:[^"\\\\\\n]|\\\\.)+"?|\'[^\'\\n]+\'?|`[^`\\n]+`?'
/** A value in quotes, which can be escaped, as in JSON within JSON. */
export const QUOTED_VALUE = new RegExp(QUOTED, 'y')
/** A value after `=`, also in a query, a list or a connection string. */
export const ASSIGNED_VALUE = new RegExp(`${QUOTED}|(?:[^\\s"'&;,)}\\\\]|\\\\(?![nrt"']))+`, 'y')
/** A separate word of a command. */
export const SHELL_WORD = new RegExp(`${QUOTED}|(?:[^\\s"'\`;&|<>()\\\\]|\\\\(?![nrt"']))+`, 'y')
/** The rest of a quoted text, by its quote. */
export const REST_OF_QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\.)+/y,
  "'": /[^'\n]+/y,
  '`': /[^`\n]+/y,
}
/** The last word of a line. */
export const LAST_WORD_OF_LINE = /(?![:=>])(?:[^\s"'#,;\\]|\\(?![nrt]))+(?=[ \t]{0,8}(?:$|#|\\[nr]|"))/my
/** The last word of a quoted or printed text. */
export const LAST_WORD_OF_TEXT = /(?![:=>])(?:[^\s"'#,;\\]|\\(?![nrt]))+(?=[ \t]{0,8}(?:$|\\[nr]|["'#>|;&]))/my
/** A word with a digit: the digit distinguishes a secret from prose. */
export const WORD_WITH_DIGIT = /(?=[^\s"',;]{6})(?=[^\s"']{0,60}\d)[^\s"',;]+/y
/** An unquoted word of a header. */
export const BARE_WORD = /[^\s"'`,;]+/y
