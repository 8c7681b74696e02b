import { mayRunProgram } from './arithmetic-command.ts'
import { scanTestExpression } from './conditional.ts'
import { LINE_ARITHMETIC_CHARS, scanArithmetic } from './expansion.ts'
import { scanHeredocBodies, scanHeredocDelimiter } from './heredoc.ts'
import {
  encodeWordPosition,
  failScan,
  isWordEnd,
  type ListEnd,
  type ScanState,
  scanComparisonOperand,
  scanNested,
  skipPattern,
  takePattern,
  takeWholeWord,
  UncertainScanError,
} from './scan-state.ts'
import { scanAssignment, scanWord } from './word.ts'

export { commandIndexOf, wordEndOf } from './scan-state.ts'

/** The positions of words and substitutions in a text. `scanScript` returns undefined if they are not certain. */
export type ScriptLayout = Pick<ScanState, 'words' | 'openings' | 'qualified' | 'differsByShell'>

export function scanScript(text: string, line = () => text): ScriptLayout | undefined {
  const scan: ScanState = {
    text,
    line,
    at: 0,
    end: text.length,
    depth: 0,
    enclosed: 0,
    commands: 0,
    words: new Map(),
    openings: new Map(),
    heredocs: [],
    compared: 0,
    qualified: false,
    differsByShell: false,
    scanList,
  }
  try {
    scanList(scan, 'end')
    return scan
  } catch (error) {
    if (error instanceof UncertainScanError) return undefined
    throw error
  }
}

const BLANKS = /[ \t]+/y
const OPERATOR = /&&|\|\||\|&|;|&|\|/y

function skipBlanks(scan: ScanState): void {
  const { text } = scan
  for (;;) {
    skipPattern(scan, BLANKS)
    if (text[scan.at] !== '\\' || text[scan.at + 1] !== '\n' || scan.at + 1 >= scan.end) return
    const isApart = /\s/.test(text[scan.at - 1] ?? '\n') || /\s/.test(text[scan.at + 2] ?? '\n')
    if (!isApart && !(/[|&;]/.test(text[scan.at - 1] ?? '') && /\w/.test(text[scan.at + 2] ?? ''))) failScan()
    scan.at += 2
  }
}

/** Inside a substitution, old shells search for the partner of a quote or parenthesis even in a comment. */
function scanComment(scan: ScanState): void {
  if (!/[\s;&|]/.test(scan.text[scan.at - 1] ?? '\n')) failScan()
  const { at } = scan
  const newline = scan.text.indexOf('\n', at)
  scan.at = newline === -1 || newline > scan.end ? scan.end : newline
  if (scan.enclosed > 0 && /['"`()\\]/.test(scan.text.slice(at, scan.at))) failScan()
}

/** Scans commands up to their closing token. A `case` item ends before `;;` or `esac`. */
export function scanList(scan: ScanState, close: ListEnd): void {
  const { text } = scan
  // after `)`, `fi` and similar, only an operator or another closing keyword may follow
  let closed = false
  for (let before = -1; ; ) {
    skipBlanks(scan)
    // fail if the loop makes no progress
    if (scan.at === before) failScan()
    before = scan.at
    if (scan.at >= scan.end) {
      if (close !== 'end' || scan.heredocs.length > 0) failScan()
      return
    }
    const char = text[scan.at]
    if (char === '\n') {
      scan.at += 1
      scanHeredocBodies(scan)
      closed = false
    } else if (char === '#') scanComment(scan)
    else if (char === ')') {
      if (close !== ')') failScan()
      scan.at += 1
      return
    } else if (char === ';' && /[;&|]/.test(text[scan.at + 1] ?? '')) {
      if (close !== 'item') failScan()
      return
    } else if (char !== '&' || text[scan.at + 1] !== '>') {
      if (skipPattern(scan, OPERATOR)) {
        if (/[|&!;]/.test(text[scan.at] ?? '')) failScan()
        closed = false
      } else if (char === '(') {
        if (closed) failScan()
        scanParentheses(scan)
        closed = true
      } else {
        const next = scanCommand(scan, closed)
        if (next === 'esac') {
          if (close !== 'item') failScan()
          return
        }
        closed = next === 'closed'
      }
    } else scanCommand(scan, closed)
  }
}

function scanParentheses(scan: ScanState): void {
  const { text, at } = scan
  if (text[at + 1] !== '(') {
    scan.at += 1
    scanNested(scan, () => scanList(scan, ')'))
    return
  }
  scan.at += 2
  scanNested(scan, () => scanArithmetic(scan, LINE_ARITHMETIC_CHARS))
  const sum = text.slice(at, scan.at)
  // a shell without arithmetic runs this as commands
  if (/\w\s+\w/.test(sum) || mayRunProgram(sum)) failScan()
  if (/>=(?!\d*[\s)&|])/.test(sum)) failScan()
  // such a shell reads `<<` as a heredoc, and expands the lines that follow
  if (sum.includes('<<') && text.includes('\n', at)) failScan()
  const behind = scan.at
  for (const { 0: operator, index } of sum.matchAll(/>+(?![>=])\s*/g)) {
    scan.at = at + index + operator.length
    scanComparisonOperand(scan)
  }
  scan.at = behind
}

const KEYWORD = /if|then|elif|else|fi|while|until|done|do|for|select|case|esac|function|time|coproc|\[\[|[{}!](?!\()/y
const CLOSING_KEYWORD = /^(?:fi|done|\})$/
const DECLARATION_KEYWORD = /^(?:declare|typeset|local|export|readonly)$/
const BEFORE_REDIRECTION = /^(?:\d+|\{\w+\})$/
const FUNCTION_PARENTHESES = /[ \t]*\([ \t]*\)/y

/** Scans one simple command, or a keyword that begins or ends a compound command. */
function scanCommand(scan: ScanState, closed: boolean): 'esac' | 'closed' | undefined {
  const { text, at: from } = scan
  const keyword = takeWholeWord(scan, KEYWORD)
  if (keyword !== undefined) return scanKeyword(scan, keyword)
  scan.commands += 1
  const command = scan.commands
  let name: string | undefined
  let words = 0
  let both = false
  for (; ; skipBlanks(scan)) {
    const char = text[scan.at]
    if (scan.at >= scan.end || char === '\n' || char === ';' || char === '|' || char === ')') return undefined
    if (char === '#') {
      scanComment(scan)
      return undefined
    }
    const next = text[scan.at + 1]
    if (char === '&' ? next === '>' : (char === '<' || char === '>') && next !== '(') {
      // in a shell without `&>` the command ends here, and the rest is the next command
      both ||= char === '&'
      scanRedirection(scan, command)
      continue
    }
    if (char === '&') return undefined
    const at = scan.at
    if (char === '(') {
      if (words !== 1 || name === undefined || !skipPattern(scan, FUNCTION_PARENTHESES)) failScan()
      // a function definition: its name is not a command
      scan.words.delete(from)
      return undefined
    }
    const isAssignment = (name === undefined || DECLARATION_KEYWORD.test(name)) && scanAssignment(scan)
    if (!isAssignment) scanWord(scan)
    words += 1
    const word = text.slice(at, scan.at)
    if (word === '{' || word === '}' || (name === undefined && text.startsWith('!(', at))) failScan()
    if ((text[scan.at] === '<' || text[scan.at] === '>') && scan.at < scan.end && BEFORE_REDIRECTION.test(word)) {
      if (text[scan.at + 1] === '(') failScan()
      words -= 1
      continue
    }
    if (closed || both) failScan()
    if (!isAssignment) name ??= word
    scan.words.set(at, encodeWordPosition(scan.at, command))
  }
}

const REDIRECTION = /<<<|<<-?|<>|<&|>>|>\||>&|&>>|&>|<|>/y
const COPIED_DESCRIPTOR = /\d+-?|-|[A-Za-z_./~][\w./~+-]*/y

function scanRedirection(scan: ScanState, command: number): void {
  const operator = takePattern(scan, REDIRECTION) ?? failScan()
  skipBlanks(scan)
  if (operator === '<<' || operator === '<<-') {
    scanHeredocDelimiter(scan, operator === '<<-')
    return
  }
  const at = scan.at
  // bash expands the word behind `>&` twice
  if (operator === '>&' || operator === '<&') takeWholeWord(scan, COPIED_DESCRIPTOR) ?? failScan()
  else {
    // `>!` is a zsh operator
    if (scan.text[at] === '!') failScan()
    scanWord(scan)
  }
  scan.words.set(at, encodeWordPosition(scan.at, command))
}

function scanKeyword(scan: ScanState, keyword: string): 'esac' | 'closed' | undefined {
  if (keyword === 'esac') return 'esac'
  if (CLOSING_KEYWORD.test(keyword)) return 'closed'
  skipBlanks(scan)
  if (keyword === 'case') scanNested(scan, () => scanCase(scan))
  else if (keyword === '[[') scanTestExpression(scan)
  else if (keyword === 'for' || keyword === 'select') return scanLoop(scan)
  else if (keyword === 'function') {
    takeWholeWord(scan, /[\w.:-]+/y) ?? failScan()
    skipPattern(scan, FUNCTION_PARENTHESES)
  } else if (keyword === 'time') takeWholeWord(scan, /-p/y)
  return keyword === 'case' || keyword === '[[' ? 'closed' : undefined
}

const SPACE = /[ \t\n]+/y

function skipSpace(scan: ScanState): void {
  while (skipPattern(scan, SPACE)) if (scan.text[scan.at] === '#') scanComment(scan)
}

const IN_KEYWORD = /in/y

function scanLoop(scan: ScanState): 'closed' | undefined {
  const { text } = scan
  if (text.startsWith('((', scan.at)) {
    scan.at += 2
    scanNested(scan, () => scanArithmetic(scan, LINE_ARITHMETIC_CHARS, ';'))
    return 'closed'
  }
  takeWholeWord(scan, /[A-Za-z_]\w*/y) ?? failScan()
  skipSpace(scan)
  if (takeWholeWord(scan, IN_KEYWORD) === undefined) {
    if (!/[;d]/.test(text[scan.at] ?? '')) failScan()
    return undefined
  }
  for (skipBlanks(scan); !/[\n;]/.test(text[scan.at] ?? ';'); skipBlanks(scan)) {
    if (scan.at >= scan.end) failScan()
    if (text[scan.at] === '#') scanComment(scan)
    else scanWord(scan)
  }
  return undefined
}

function scanCase(scan: ScanState): void {
  const { text } = scan
  scanWord(scan)
  skipSpace(scan)
  takeWholeWord(scan, IN_KEYWORD) ?? failScan()
  for (skipSpace(scan); takeWholeWord(scan, /esac/y) === undefined; skipSpace(scan)) {
    if (text[scan.at] === '(') scan.at += 1
    for (;;) {
      skipBlanks(scan)
      if (isWordEnd(scan)) failScan()
      scanWord(scan)
      skipBlanks(scan)
      if (text[scan.at] !== '|') break
      scan.at += 1
    }
    if (text[scan.at] !== ')' || scan.at >= scan.end) failScan()
    scan.at += 1
    if (scanCaseItem(scan)) return
  }
}

/** Scans the commands of a `case` item. Returns true if `esac` ended them. */
function scanCaseItem(scan: ScanState): boolean {
  scanList(scan, 'item')
  return !skipPattern(scan, /;;&|;;|;&/y)
}
