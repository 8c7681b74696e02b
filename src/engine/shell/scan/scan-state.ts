/** A heredoc whose body has not begun yet. */
export interface PendingHeredoc {
  readonly delimiter: string
  /** the delimiter is quoted, so the body is plain text */
  readonly quoted: boolean
  /** `<<-`: leading tabs are ignored */
  readonly tabs: boolean
}

/** The context of an expansion: a bare word, double quotes, or a heredoc body. */
export type QuoteContext = 'bare' | 'double' | 'heredoc'

/** What ends a command list: the end of the text, `)`, or the end of a `case` item. */
export type ListEnd = 'end' | ')' | 'item'

/**
 * State of a left-to-right scan of a script, by rules that bash, dash and zsh share. The scan fails where the shells differ, and
 * at syntax it does not know.
 */
export interface ScanState {
  readonly text: string
  /** the whole line that contains the text: a variable may be assigned anywhere in it */
  readonly line: () => string
  at: number
  end: number
  depth: number
  /** number of enclosing substitutions */
  enclosed: number
  /** number of simple commands so far */
  commands: number
  /** start of each word of a simple command → its end and its command, encoded by `encodeWordPosition` */
  readonly words: Map<number, number>
  /** start of each command substitution → its unescaped text, if it is in backticks with escapes */
  readonly openings: Map<number, string | undefined>
  heredocs: PendingHeredoc[]
  /** number of comparisons that another shell reads as redirections to a file */
  compared: number
  /** a wildcard has zsh qualifiers, which may run code */
  qualified: boolean
  /** dash reads some word differently: it keeps the `$` of `$'…'` and `$"…"`, and does not expand `{a,b}` */
  differsByShell: boolean
  /** passed in to avoid a circular import */
  readonly scanList: (scan: ScanState, close: ListEnd) => void
}

/** Upper limit for the length of a text. */
const MAX_TEXT_LENGTH = 2 ** 21

/** Encodes the end of a word and the index of its command as one number. */
export const encodeWordPosition = (end: number, command: number): number => command * MAX_TEXT_LENGTH + end
export const wordEndOf = (placed: number): number => placed % MAX_TEXT_LENGTH
export const commandIndexOf = (placed: number): number => Math.floor(placed / MAX_TEXT_LENGTH)

/** Thrown if the text cannot be scanned with certainty. `scanScript` catches it. */
export class UncertainScanError extends Error {}

// created once: a stack trace for every uncertain line would cost more than the scan
const UNCERTAIN_SCAN = new UncertainScanError('not known for certain')

export function failScan(): never {
  throw UNCERTAIN_SCAN
}

/** Advances past a match of the sticky pattern. Returns false if nothing matches. */
export function skipPattern(scan: ScanState, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at
  if (!pattern.test(scan.text) || pattern.lastIndex > scan.end) return false
  scan.at = pattern.lastIndex
  return true
}

/** The same, but the scan fails if nothing matches. */
export function requirePattern(scan: ScanState, pattern: RegExp): void {
  if (!skipPattern(scan, pattern)) failScan()
}

/** Advances past a match of the sticky pattern and returns the matched text. */
export function takePattern(scan: ScanState, pattern: RegExp): string | undefined {
  const { at } = scan
  return skipPattern(scan, pattern) ? scan.text.slice(at, scan.at) : undefined
}

/** True at the end of a word: white space, an operator, a parenthesis, or the end. */
export const isWordEnd = ({ at, end, text }: ScanState): boolean => at >= end || WORD_END_CODES.has(text.charCodeAt(at))

const WORD_END_CODES: ReadonlySet<number> = new Set([...' \t\n;&|<>()'].map(char => char.charCodeAt(0)))

/** Like `takePattern`, but the match must end at the end of a word. */
export function takeWholeWord(scan: ScanState, pattern: RegExp): string | undefined {
  const { at } = scan
  const found = takePattern(scan, pattern)
  if (found === undefined || isWordEnd(scan)) return found
  scan.at = at
  return undefined
}

const MAX_COMPARISONS = 64
const COMPARISON_OPERAND = /"\$(?:\w+|\{\w+\})"|\$(?:\w+|\{\w+\})|\d+/y

/** Scans the right side of a comparison. A shell without such comparisons reads it as the file that `>` writes. */
export function scanComparisonOperand(scan: ScanState): void {
  const word = takeWholeWord(scan, COMPARISON_OPERAND) ?? failScan()
  // each comparison searches the whole line, so their number is limited
  scan.compared += 1
  if (scan.compared > MAX_COMPARISONS) failScan()
  if (/\$\{?\d/.test(word)) failScan()
  const name = /[A-Za-z_]\w*/.exec(word)?.[0]
  if (name !== undefined && mayNameFile(name, scan.line())) failScan()
}

/** True if the variable may hold something other than a number, from the line or the environment (`$SHELL`, `$_`). */
const mayNameFile = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w$]|\\$\\{)${name}(?!\\w|=\\d*(?:[\\s;&|)]|$))`).test(text) ||
  (!/^[a-z]/.test(name) && !text.includes(`${name}=`))

const MAX_DEPTH = 64

/** Scans a nested construct, and fails if the nesting is too deep. */
export function scanNested(scan: ScanState, body: () => void): void {
  scan.depth += 1
  if (scan.depth > MAX_DEPTH) failScan()
  body()
  scan.depth -= 1
}

/** Scans the commands of a substitution. A heredoc that begins inside must also end inside. */
export function scanSubstitution(scan: ScanState, close: ListEnd): void {
  const { heredocs } = scan
  scan.heredocs = []
  scan.enclosed += 1
  scanNested(scan, () => scan.scanList(scan, close))
  scan.enclosed -= 1
  if (scan.heredocs.length > 0) failScan()
  scan.heredocs = heredocs
}
