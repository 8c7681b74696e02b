import { scanBackticks, scanDollar, scanDouble } from './expansion.ts'
import { doubt, isEnd, need, type Scan, scanCompared, skip, takeWord } from './state.ts'
import { scanWord } from './word.ts'

const BLANK = /[ \t]+|\\\n/y
const CLOSES = /\]\]/y
const LOGICAL = /&&|\|\||\n/y
const MATCHES = /=~(?=\s)/y
/** beginnings that no shell takes for the name of a program */
const HARMLESS = /"?\$[\w{]|-|!(?=\s)|\(|\]\]/y

/** Behind `[[`. Dash has none: there `||` begins a command, and `>` names a file to write. */
export function scanTest(scan: Scan): void {
  const { text } = scan
  let depth = 0
  let isCommand = false
  for (;;) {
    while (skip(scan, BLANK));
    if (scan.at >= scan.end) doubt()
    if (skip(scan, LOGICAL)) {
      isCommand = true
      continue
    }
    // to a shell without `[[` a comment begins here, and ends with the line
    if (text[scan.at] === '#') doubt()
    if (isCommand) expect(scan, HARMLESS)
    const char = text[scan.at]
    // behind these the command is still to come
    isCommand &&= char === '(' || (char === '!' && /\s/.test(text[scan.at + 1] ?? ''))
    if (depth === 0 && takeWord(scan, CLOSES) !== undefined) return
    if (char === '(') {
      if (/[=(]\s*$/.test(text.slice(Math.max(0, scan.at - 8), scan.at))) doubt()
      depth += 1
      scan.at += 1
    } else if (char === ')' && depth > 0) {
      depth -= 1
      scan.at += 1
    } else if (char === '<' || char === '>') {
      scan.at += 1
      if (text[scan.at] === '(') doubt()
      while (skip(scan, BLANK));
      scanCompared(scan)
      if (!isEnd(scan)) doubt()
    } else if (skip(scan, MATCHES)) scanRegex(scan)
    else scanOperand(scan)
  }
}

/** Where a number or a name is wanted, an index is evaluated, in quotes as well. */
function scanOperand(scan: Scan): void {
  const { at } = scan
  scanWord(scan)
  const word = scan.text.slice(at, scan.at)
  if (word.includes('[') && /['\\]/.test(word) && /[$`]/.test(word)) doubt()
}

function expect(scan: Scan, pattern: RegExp): void {
  const { at } = scan
  if (!skip(scan, pattern)) doubt()
  scan.at = at
}

const PLAIN = /[\w./:,@%+=~^{}\-*?!#]+|[^\0-\xa0]+/y
const SINGLE = /'[^']*'/y
const BRACKET = /\[\^?\]?(?:\[:\w+:\]|[^\]'"`$\\()\s])*\]/y

/** The word behind `=~`: groups are part of it. */
function scanRegex(scan: Scan): void {
  const { text } = scan
  while (skip(scan, BLANK));
  if (text[scan.at] === '#') doubt()
  const from = scan.at
  let depth = 0
  for (;;) {
    const char = text[scan.at]
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth < 0 || (depth === 0 && char !== ')' && isEnd(scan))) break
    if (char === '(' || char === ')' || (char === '|' && depth > 0)) scan.at += 1
    else if (char === '\\') {
      if (text[scan.at + 1] === '\n') doubt()
      scan.at += 2
    } else if (char === '$') scanDollar(scan, 'bare')
    else if (char === '`') scanBackticks(scan, 'bare')
    else if (char === '"') scanDouble(scan)
    else if (char === "'") need(scan, SINGLE)
    else if (char === '[') need(scan, BRACKET)
    else need(scan, PLAIN)
  }
  if (scan.at === from || scan.at > scan.end) doubt()
}
