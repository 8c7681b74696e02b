/** A heredoc whose body has not begun yet. */
export interface PendingHeredoc {
  readonly delimiter: string
  /** its body is plain text */
  readonly quoted: boolean
  /** `<<-`: tabs in front of a line do not count */
  readonly tabs: boolean
}

/** What encloses an expansion: a bare word, double quotes, or the body of a heredoc. */
export type QuoteContext = 'bare' | 'double' | 'heredoc'

/** What ends a list of commands: the end of the text, `)`, or the end of an item of `case`. */
export type ListEnd = 'end' | ')' | 'item'

/**
 * The text of a script, scanned from left to right by rules that bash, dash and zsh share. What they do not share, and what is not
 * known here, is a doubt.
 */
export interface ScanState {
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
  heredocs: PendingHeredoc[]
  /** how many comparisons there were that another shell takes for a file's name */
  compared: number
  /** a wildcard has qualifiers, which may run code */
  qualified: boolean
  /** some word is another text to dash: `$'…'` and `$"…"` have a `$` there, and `{a,b}` stays as it is */
  differsByShell: boolean
  /** handed in, so that files need not import each other in a circle */
  readonly scanList: (scan: ScanState, close: ListEnd) => void
}

/** Texts are shorter than this. */
const MAX_TEXT_LENGTH = 2 ** 21

/** The end of a word and the command it belongs to, as one number. */
export const encodeWordPosition = (end: number, command: number): number => command * MAX_TEXT_LENGTH + end
export const wordEndOf = (placed: number): number => placed % MAX_TEXT_LENGTH
export const commandIndexOf = (placed: number): number => Math.floor(placed / MAX_TEXT_LENGTH)

/** Thrown where the text is not known for certain; it never leaves `scanScript`. */
export class UncertainScanError extends Error {}

// made once: a stack for every doubtful line would cost more than the scan
const UNCERTAIN_SCAN = new UncertainScanError('not known for certain')

export function failScan(): never {
  throw UNCERTAIN_SCAN
}

/** Goes past what the sticky pattern matches here; false where it matches nothing. */
export function skipPattern(scan: ScanState, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at
  if (!pattern.test(scan.text) || pattern.lastIndex > scan.end) return false
  scan.at = pattern.lastIndex
  return true
}

/** The same, where nothing else may stand. */
export function requirePattern(scan: ScanState, pattern: RegExp): void {
  if (!skipPattern(scan, pattern)) failScan()
}

/** The text that the sticky pattern matches here, gone past. */
export function takePattern(scan: ScanState, pattern: RegExp): string | undefined {
  const { at } = scan
  return skipPattern(scan, pattern) ? scan.text.slice(at, scan.at) : undefined
}

/** Ends a word: white space, an operator, a parenthesis, or the end. */
export const isWordEnd = ({ at, end, text }: ScanState): boolean => at >= end || WORD_END_CODES.has(text.charCodeAt(at))

const WORD_END_CODES: ReadonlySet<number> = new Set([...' \t\n;&|<>()'].map(char => char.charCodeAt(0)))

/** The same, where a word has to end there. */
export function takeWholeWord(scan: ScanState, pattern: RegExp): string | undefined {
  const { at } = scan
  const found = takePattern(scan, pattern)
  if (found === undefined || isWordEnd(scan)) return found
  scan.at = at
  return undefined
}

const MAX_COMPARISONS = 64
const COMPARISON_OPERAND = /"\$(?:\w+|\{\w+\})"|\$(?:\w+|\{\w+\})|\d+/y

/** What a number or a text is compared with: to a shell that knows no such comparison, the file that `>` writes. */
export function scanComparisonOperand(scan: ScanState): void {
  const word = takeWholeWord(scan, COMPARISON_OPERAND) ?? failScan()
  // each looks at all of the text
  scan.compared += 1
  if (scan.compared > MAX_COMPARISONS) failScan()
  if (/\$\{?\d/.test(word)) failScan()
  const name = /[A-Za-z_]\w*/.exec(word)?.[0]
  if (name !== undefined && mayNameFile(name, scan.line())) failScan()
}

/** Anything but a number may have been put into the variable, here or in the environment (`$SHELL`, `$_`). */
const mayNameFile = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$]|\\$\\{)${name}(?!\\w|=\\d*(?:[\\s;&|)]|$))`).test(text) ||
  (!/^[a-z]/.test(name) && !text.includes(`${name}=`))

const MAX_DEPTH = 64

/** Scans something that stands inside something else. */
export function scanNested(scan: ScanState, body: () => void): void {
  scan.depth += 1
  if (scan.depth > MAX_DEPTH) failScan()
  body()
  scan.depth -= 1
}

/** The commands of a substitution. The body of a heredoc that begins in one has to end in it. */
export function scanSubstitution(scan: ScanState, close: ListEnd): void {
  const { heredocs } = scan
  scan.heredocs = []
  scan.enclosed += 1
  scanNested(scan, () => scan.scanList(scan, close))
  scan.enclosed -= 1
  if (scan.heredocs.length > 0) failScan()
  scan.heredocs = heredocs
}
