import { scanBackticks, scanDollar, scanDoubleQuotes } from './expansion.ts'
import {
  failScan,
  isWordEnd,
  requirePattern,
  type ScanState,
  scanComparisonOperand,
  skipPattern,
  takeWholeWord,
} from './scan-state.ts'
import { scanWord } from './word.ts'

const BLANK = /[ \t]+|\\\n/y
const TEST_END = /\]\]/y
const LOGICAL_OPERATOR = /&&|\|\||\n/y
const REGEX_OPERATOR = /=~(?=\s)/y
/** beginnings that no shell reads as a program name */
const NON_PROGRAM_START = /"?\$[\w{]|-|!(?=\s)|\(|\]\]/y

/** Scans the text behind `[[`. Dash has no `[[`: there `||` begins a command, and `>` names a file to write. */
export function scanTestExpression(scan: ScanState): void {
  const { text } = scan
  let depth = 0
  let isCommand = false
  for (;;) {
    while (skipPattern(scan, BLANK));
    if (scan.at >= scan.end) failScan()
    if (skipPattern(scan, LOGICAL_OPERATOR)) {
      isCommand = true
      continue
    }
    // a shell without `[[` reads the rest of the line as a comment
    if (text[scan.at] === '#') failScan()
    if (isCommand) expectPattern(scan, NON_PROGRAM_START)
    const char = text[scan.at]
    // after `(` or `!` the command name is still to come
    isCommand &&= char === '(' || (char === '!' && /\s/.test(text[scan.at + 1] ?? ''))
    if (depth === 0 && takeWholeWord(scan, TEST_END) !== undefined) return
    if (char === '(') {
      if (/[=(]\s*$/.test(text.slice(Math.max(0, scan.at - 8), scan.at))) failScan()
      depth += 1
      scan.at += 1
    } else if (char === ')' && depth > 0) {
      depth -= 1
      scan.at += 1
    } else if (char === '<' || char === '>') {
      scan.at += 1
      if (text[scan.at] === '(') failScan()
      while (skipPattern(scan, BLANK));
      scanComparisonOperand(scan)
      if (!isWordEnd(scan)) failScan()
    } else if (skipPattern(scan, REGEX_OPERATOR)) scanRegex(scan)
    else scanOperand(scan)
  }
}

/** Where a number or a name is expected, an index is evaluated even in quotes. */
function scanOperand(scan: ScanState): void {
  const { at } = scan
  scanWord(scan)
  const word = scan.text.slice(at, scan.at)
  if (word.includes('[') && /['\\]/.test(word) && /[$`]/.test(word)) failScan()
}

function expectPattern(scan: ScanState, pattern: RegExp): void {
  const { at } = scan
  if (!skipPattern(scan, pattern)) failScan()
  scan.at = at
}

const PLAIN_CHARS = /[\w./:,@%+=~^{}\-*?!#]+|[^\0-\xa0]+/y
const SINGLE_QUOTED = /'[^']*'/y
const BRACKET = /\[\^?\]?(?:\[:\w+:\]|[^\]'"`$\\()\s])*\]/y

/** Scans the regular expression behind `=~`, including its groups. */
function scanRegex(scan: ScanState): void {
  const { text } = scan
  while (skipPattern(scan, BLANK));
  if (text[scan.at] === '#') failScan()
  const from = scan.at
  let depth = 0
  for (;;) {
    const char = text[scan.at]
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0 || (depth === 0 && char !== ')' && isWordEnd(scan))) break
    if (char === '(' || char === ')' || (char === '|' && depth > 0)) scan.at += 1
    else if (char === '\\') {
      if (text[scan.at + 1] === '\n') failScan()
      scan.at += 2
    } else if (char === '$') scanDollar(scan, 'bare')
    else if (char === '`') scanBackticks(scan, 'bare')
    else if (char === '"') scanDoubleQuotes(scan)
    else if (char === "'") requirePattern(scan, SINGLE_QUOTED)
    else if (char === '[') requirePattern(scan, BRACKET)
    else requirePattern(scan, PLAIN_CHARS)
  }
  if (scan.at === from || scan.at > scan.end) failScan()
}
