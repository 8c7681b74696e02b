import { scanTest } from './conditional.ts'
import { LINE_SUM, scanArithmetic } from './expansion.ts'
import { scanBodies, scanDelimiter } from './heredoc.ts'
import { type Close, doubt, inside, isEnd, place, type Scan, scanCompared, skip, take, takeWord } from './state.ts'
import { mayRunProgram } from './sum-command.ts'
import { scanAssignment, scanWord } from './word.ts'

const BLANKS = /[ \t]+/y
const OPERATOR = /&&|\|\||\|&|;|&|\|/y

function skipBlanks(scan: Scan): void {
  const { text } = scan
  for (;;) {
    skip(scan, BLANKS)
    if (text[scan.at] !== '\\' || text[scan.at + 1] !== '\n' || scan.at + 1 >= scan.end) return
    const isApart = /\s/.test(text[scan.at - 1] ?? '\n') || /\s/.test(text[scan.at + 2] ?? '\n')
    if (!isApart && !(/[|&;]/.test(text[scan.at - 1] ?? '') && /\w/.test(text[scan.at + 2] ?? ''))) doubt()
    scan.at += 2
  }
}

/** Where a quote or a parenthesis stands in a comment, old shells look for its partner. */
function scanComment(scan: Scan): void {
  if (!/[\s;&|]/.test(scan.text[scan.at - 1] ?? '\n')) doubt()
  const { at } = scan
  const newline = scan.text.indexOf('\n', at)
  scan.at = newline === -1 || newline > scan.end ? scan.end : newline
  if (scan.enclosed > 0 && /['"`()\\]/.test(scan.text.slice(at, scan.at))) doubt()
}

/** Commands, up to what closes them; an item of `case` ends before `;;` or `esac`. */
export function scanList(scan: Scan, close: Close): void {
  const { text } = scan
  // behind `)`, `fi` and the like only an operator or another such word may follow
  let closed = false
  for (let before = -1; ; ) {
    skipBlanks(scan)
    // nothing here may go round and round
    if (scan.at === before) doubt()
    before = scan.at
    if (scan.at >= scan.end) {
      if (close !== 'end' || scan.heredocs.length > 0) doubt()
      return
    }
    const char = text[scan.at]
    if (char === '\n') {
      scan.at += 1
      scanBodies(scan)
      closed = false
    } else if (char === '#') scanComment(scan)
    else if (char === ')') {
      if (close !== ')') doubt()
      scan.at += 1
      return
    } else if (char === ';' && /[;&|]/.test(text[scan.at + 1] ?? '')) {
      if (close !== 'item') doubt()
      return
    } else if (char !== '&' || text[scan.at + 1] !== '>') {
      if (skip(scan, OPERATOR)) {
        if (/[|&!;]/.test(text[scan.at] ?? '')) doubt()
        closed = false
      } else if (char === '(') {
        if (closed) doubt()
        scanParentheses(scan)
        closed = true
      } else {
        const next = scanCommand(scan, closed)
        if (next === 'esac') {
          if (close !== 'item') doubt()
          return
        }
        closed = next === 'closed'
      }
    } else scanCommand(scan, closed)
  }
}

function scanParentheses(scan: Scan): void {
  const { text, at } = scan
  if (text[at + 1] !== '(') {
    scan.at += 1
    inside(scan, () => scanList(scan, ')'))
    return
  }
  scan.at += 2
  inside(scan, () => scanArithmetic(scan, LINE_SUM))
  const sum = text.slice(at, scan.at)
  // a shell without arithmetic runs this
  if (/\w\s+\w/.test(sum) || mayRunProgram(sum)) doubt()
  if (/>=(?!\d*[\s)&|])/.test(sum)) doubt()
  // a heredoc to it, in which the lines that follow are expanded
  if (sum.includes('<<') && text.includes('\n', at)) doubt()
  const behind = scan.at
  for (const { 0: operator, index } of sum.matchAll(/>+(?![>=])\s*/g)) {
    scan.at = at + index + operator.length
    scanCompared(scan)
  }
  scan.at = behind
}

const KEYWORD = /if|then|elif|else|fi|while|until|done|do|for|select|case|esac|function|time|coproc|\[\[|[{}!](?!\()/y
const CLOSING = /^(?:fi|done|\})$/
const DECLARES = /^(?:declare|typeset|local|export|readonly)$/
const BEFORE_REDIRECTION = /^(?:\d+|\{\w+\})$/
const FUNCTION = /[ \t]*\([ \t]*\)/y

/** One simple command, or the word that begins or ends another. */
function scanCommand(scan: Scan, closed: boolean): 'esac' | 'closed' | undefined {
  const { text, at: from } = scan
  const keyword = takeWord(scan, KEYWORD)
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
      // to a shell without `&>` a command ends here, and what follows is the next
      both ||= char === '&'
      scanRedirection(scan, command)
      continue
    }
    if (char === '&') return undefined
    const at = scan.at
    if (char === '(') {
      if (words !== 1 || name === undefined || !skip(scan, FUNCTION)) doubt()
      // a definition: its name is no command
      scan.words.delete(from)
      return undefined
    }
    const isAssignment = (name === undefined || DECLARES.test(name)) && scanAssignment(scan)
    if (!isAssignment) scanWord(scan)
    words += 1
    const word = text.slice(at, scan.at)
    if (word === '{' || word === '}' || (name === undefined && text.startsWith('!(', at))) doubt()
    if ((text[scan.at] === '<' || text[scan.at] === '>') && scan.at < scan.end && BEFORE_REDIRECTION.test(word)) {
      if (text[scan.at + 1] === '(') doubt()
      words -= 1
      continue
    }
    if (closed || both) doubt()
    if (!isAssignment) name ??= word
    scan.words.set(at, place(scan.at, command))
  }
}

const REDIRECTION = /<<<|<<-?|<>|<&|>>|>\||>&|&>>|&>|<|>/y
const COPIED = /\d+-?|-|[A-Za-z_./~][\w./~+-]*/y

function scanRedirection(scan: Scan, command: number): void {
  const operator = take(scan, REDIRECTION) ?? doubt()
  skipBlanks(scan)
  if (operator === '<<' || operator === '<<-') {
    scanDelimiter(scan, operator === '<<-')
    return
  }
  const at = scan.at
  // bash expands the word behind `>&` twice
  if (operator === '>&' || operator === '<&') takeWord(scan, COPIED) ?? doubt()
  else {
    // `>!` is an operator of zsh
    if (scan.text[at] === '!') doubt()
    scanWord(scan)
  }
  scan.words.set(at, place(scan.at, command))
}

function scanKeyword(scan: Scan, keyword: string): 'esac' | 'closed' | undefined {
  if (keyword === 'esac') return 'esac'
  if (CLOSING.test(keyword)) return 'closed'
  skipBlanks(scan)
  if (keyword === 'case') inside(scan, () => scanCase(scan))
  else if (keyword === '[[') scanTest(scan)
  else if (keyword === 'for' || keyword === 'select') return scanLoop(scan)
  else if (keyword === 'function') {
    takeWord(scan, /[\w.:-]+/y) ?? doubt()
    skip(scan, FUNCTION)
  } else if (keyword === 'time') takeWord(scan, /-p/y)
  return keyword === 'case' || keyword === '[[' ? 'closed' : undefined
}

const SPACE = /[ \t\n]+/y

function skipSpace(scan: Scan): void {
  while (skip(scan, SPACE)) if (scan.text[scan.at] === '#') scanComment(scan)
}

const IN = /in/y

function scanLoop(scan: Scan): 'closed' | undefined {
  const { text } = scan
  if (text.startsWith('((', scan.at)) {
    scan.at += 2
    inside(scan, () => scanArithmetic(scan, LINE_SUM, ';'))
    return 'closed'
  }
  takeWord(scan, /[A-Za-z_]\w*/y) ?? doubt()
  skipSpace(scan)
  if (takeWord(scan, IN) === undefined) {
    if (!/[;d]/.test(text[scan.at] ?? '')) doubt()
    return undefined
  }
  for (skipBlanks(scan); !/[\n;]/.test(text[scan.at] ?? ';'); skipBlanks(scan)) {
    if (scan.at >= scan.end) doubt()
    if (text[scan.at] === '#') scanComment(scan)
    else scanWord(scan)
  }
  return undefined
}

function scanCase(scan: Scan): void {
  const { text } = scan
  scanWord(scan)
  skipSpace(scan)
  takeWord(scan, IN) ?? doubt()
  for (skipSpace(scan); takeWord(scan, /esac/y) === undefined; skipSpace(scan)) {
    if (text[scan.at] === '(') scan.at += 1
    for (;;) {
      skipBlanks(scan)
      if (isEnd(scan)) doubt()
      scanWord(scan)
      skipBlanks(scan)
      if (text[scan.at] !== '|') break
      scan.at += 1
    }
    if (text[scan.at] !== ')' || scan.at >= scan.end) doubt()
    scan.at += 1
    if (scanItem(scan)) return
  }
}

/** The commands of an item; true where `esac` ended them. */
function scanItem(scan: Scan): boolean {
  scanList(scan, 'item')
  return !skip(scan, /;;&|;;|;&/y)
}
