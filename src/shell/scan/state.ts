/** A heredoc whose body has not begun yet. */
export interface Heredoc {
  readonly delimiter: string
  /** its body is plain text */
  readonly quoted: boolean
  /** `<<-`: tabs in front of a line do not count */
  readonly tabs: boolean
}

/** What encloses an expansion: a bare word, double quotes, or the body of a heredoc. */
export type Quote = 'bare' | 'double' | 'heredoc'

/** What ends a list of commands: the end of the text, `)`, or the end of an item of `case`. */
export type Close = 'end' | ')' | 'item'

/**
 * The text of a script, scanned from left to right by rules that bash, dash and zsh share. What they do not share, and what is not
 * known here, is a doubt.
 */
export interface Scan {
  readonly text: string
  /** all of the line that the text is a part of: what a variable is given may stand anywhere in it */
  readonly line: () => string
  at: number
  end: number
  depth: number
  /** how many substitutions enclose this */
  enclosed: number
  /** how many simple commands there were so far */
  commands: number
  /** where each word of a simple command begins → where it ends, and which command it belongs to: `place()` */
  readonly words: Map<number, number>
  /** where each substitution begins that runs commands → its text without the escapes of backticks, if it has any */
  readonly openings: Map<number, string | undefined>
  heredocs: Heredoc[]
  /** how many comparisons there were that another shell takes for a file's name */
  compared: number
  /** a wildcard has qualifiers, which may run code */
  qualified: boolean
  /** some word is another text to dash: `$'…'` and `$"…"` have a `$` there, and `{a,b}` stays as it is */
  differsByShell: boolean
  /** handed in, so that files need not import each other in a circle */
  readonly scanList: (scan: Scan, close: Close) => void
}

/** Texts are shorter than this. */
const LONGEST = 2 ** 21

/** The end of a word and the command it belongs to, as one number. */
export const place = (end: number, command: number): number => command * LONGEST + end
export const endOf = (placed: number): number => placed % LONGEST
export const commandOf = (placed: number): number => Math.floor(placed / LONGEST)

/** Thrown where the text is not known for certain; it never leaves `scanScript`. */
export class Doubt extends Error {}

// made once: a stack for every doubtful line would cost more than the scan
const DOUBT = new Doubt('not known for certain')

export function doubt(): never {
  throw DOUBT
}

/** Goes past what the sticky pattern matches here; false where it matches nothing. */
export function skip(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at
  if (!pattern.test(scan.text) || pattern.lastIndex > scan.end) return false
  scan.at = pattern.lastIndex
  return true
}

/** The same, where nothing else may stand. */
export function need(scan: Scan, pattern: RegExp): void {
  if (!skip(scan, pattern)) doubt()
}

/** The text that the sticky pattern matches here, gone past. */
export function take(scan: Scan, pattern: RegExp): string | undefined {
  const { at } = scan
  return skip(scan, pattern) ? scan.text.slice(at, scan.at) : undefined
}

/** Ends a word: white space, an operator, a parenthesis, or the end. */
export const isEnd = ({ at, end, text }: Scan): boolean => at >= end || ENDS.has(text.charCodeAt(at))

const ENDS: ReadonlySet<number> = new Set([...' \t\n;&|<>()'].map(char => char.charCodeAt(0)))

/** The same, where a word has to end there. */
export function takeWord(scan: Scan, pattern: RegExp): string | undefined {
  const { at } = scan
  const found = take(scan, pattern)
  if (found === undefined || isEnd(scan)) return found
  scan.at = at
  return undefined
}

const MOST_COMPARED = 64
const COMPARED = /"\$(?:\w+|\{\w+\})"|\$(?:\w+|\{\w+\})|\d+/y

/** What a number or a text is compared with: to a shell that knows no such comparison, the file that `>` writes. */
export function scanCompared(scan: Scan): void {
  const word = takeWord(scan, COMPARED) ?? doubt()
  // each looks at all of the text
  scan.compared += 1
  if (scan.compared > MOST_COMPARED) doubt()
  if (/\$\{?\d/.test(word)) doubt()
  const name = /[A-Za-z_]\w*/.exec(word)?.[0]
  if (name !== undefined && mayNameFile(name, scan.line())) doubt()
}

/** Anything but a number may have been put into the variable, here or in the environment (`$SHELL`, `$_`). */
const mayNameFile = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$]|\\$\\{)${name}(?!\\w|=\\d*(?:[\\s;&|)]|$))`).test(text) ||
  (!/^[a-z]/.test(name) && !text.includes(`${name}=`))

const MOST_DEPTH = 64

/** Scans something that stands inside something else. */
export function inside(scan: Scan, body: () => void): void {
  scan.depth += 1
  if (scan.depth > MOST_DEPTH) doubt()
  body()
  scan.depth -= 1
}

/** The commands of a substitution. The body of a heredoc that begins in one has to end in it. */
export function scanCommands(scan: Scan, close: Close): void {
  const { heredocs } = scan
  scan.heredocs = []
  scan.enclosed += 1
  inside(scan, () => scan.scanList(scan, close))
  scan.enclosed -= 1
  if (scan.heredocs.length > 0) doubt()
  scan.heredocs = heredocs
}
