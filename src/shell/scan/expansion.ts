import { doubt, inside, need, type Quote, type Scan, scanCommands, skip, take } from './state.ts'

const SIMPLE = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/y
/** `$x[1]`: an index to zsh, which evaluates the names in it, and text to others */
const INDEX_BEHIND = /\[[\d.,@*^!+-]*\]/y
/** `$#x[1]` is the length of `$x[1]` to zsh */
const INDEX_OF_LENGTH = /(?:[A-Za-z_]\w*|\d+|[@*?$!#-])\[/y
/** `$=x`, `$~x`, `$^x`, `$+x`, `$~[…]` of zsh */
const FLAGGED = /\$[=~^+]/y
const ANSI = /\$'(?:[^'\\]|\\[\s\S])*'/y

/** At `$`. */
export function scanDollar(scan: Scan, quote: Quote): void {
  const { text, at } = scan
  const next = text[at + 1]
  if (quote === 'bare' && (next === "'" || next === '"')) scan.differsByShell = true
  if (next === '(') scanParenthesis(scan)
  else if (next === '{') inside(scan, () => scanParameter(scan, quote))
  else if (next === '[') {
    // not every shell has it, and what is in it is parsed by none as elsewhere
    need(scan, TEXT_SUM)
  } else if (next === "'" && quote === 'bare') scanAnsi(scan)
  else if (next === '\\' && text[at + 2] === '\n') doubt()
  else if (skip(scan, SIMPLE)) {
    // `$$((` is a `$` before a sum to zsh
    if (next === '$' && /[([{$]/.test(text[scan.at] ?? '')) doubt()
    if (text[scan.at] === '[') need(scan, INDEX_BEHIND)
    if (next === '#' && skip(scan, INDEX_OF_LENGTH)) doubt()
  } else if (skip(scan, FLAGGED)) doubt()
  else scan.at += 1
}

function scanParenthesis(scan: Scan): void {
  const { at } = scan
  if (scan.text[at + 2] === '(') {
    scan.at += 3
    inside(scan, () => scanArithmetic(scan))
    return
  }
  scan.openings.set(at, undefined)
  scan.at += 2
  scanCommands(scan, ')')
}

const ESCAPE = /\\[\s\S]/g

/**
 * To dash `$'` is a `$` before a plain quote, which an escaped quote ends, and in which a backslash is a backslash: as the text of a
 * script it would be another one. What other escapes mean differs as well.
 */
function scanAnsi(scan: Scan): void {
  const string = take(scan, ANSI) ?? doubt()
  // zsh expands what it holds where it stands in an expansion inside another
  if (scan.depth > 0 && /[$`]|\\[xuU0-7cC]/.test(string.slice(2))) doubt()
  const escapes = (string.match(ESCAPE) ?? []).filter(pair => !/[ntreEabfv]/.test(pair[1] ?? ''))
  if (escapes.length === 0) return
  if (escapes.some(pair => !/[\\'"?xuU0-7]/.test(pair[1] ?? '')) || /[;&|<>()$`#\n]/.test(string.slice(2))) doubt()
  if (escapes.includes("\\'") && scan.text.includes("'", scan.at)) doubt()
}

/** Between double quotes, the first of which is here. */
export function scanDouble(scan: Scan): void {
  const { text } = scan
  scan.at += 1
  for (;;) {
    if (scan.at >= scan.end) doubt()
    const char = text[scan.at]
    if (char === '"') break
    scanActive(scan, char, 'double')
  }
  scan.at += 1
}

const PLAIN = /[^"$`\\]+/y

/** One piece of text in which only `$`, backticks and backslashes mean something. */
export function scanActive(scan: Scan, char: string | undefined, quote: 'double' | 'heredoc'): void {
  if (char === '\\') scan.at += 2
  else if (char === '$') scanDollar(scan, quote)
  else if (char === '`') scanBackticks(scan, quote)
  else if (!skip(scan, PLAIN)) scan.at = char === '"' ? scan.at + 1 : scan.end
}

/** At a backtick. With escapes in it, its text is another one, and scanned by itself once it is walked. */
export function scanBackticks(scan: Scan, quote: Quote): void {
  const { text, at, end } = scan
  let close = at + 1
  while (close < end && text[close] !== '`') close += text[close] === '\\' ? 2 : 1
  if (close >= end) doubt()
  const code = text.slice(at + 1, close)
  if (code.includes('\\')) scan.openings.set(at, decode(code, quote))
  else {
    scan.openings.set(at, undefined)
    scan.at = at + 1
    scan.end = close
    scanCommands(scan, 'end')
    scan.end = end
  }
  scan.at = close + 1
}

const decode = (code: string, quote: Quote): string =>
  code.replace(quote === 'double' ? /\\([$`\\"])/g : /\\([$`\\])/g, '$1')

const HEAD = /\$\{(?:#?[A-Za-z_]\w*|#?\d+|#[@*]|![A-Za-z_]\w*|!\d+|[@*?$!#-])/y
const PLAIN_INDEX = /\[(?:[@*]|-?\w+|"[\w .:/-]*"|'[\w .:/-]*')\]/y
const OPERATOR = /:[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|@[QEAaKkULu](?=\})|[@*](?=\})|:/y

/** At `${`: a name, an index, one of the operators that are known, and its operand. */
function scanParameter(scan: Scan, quote: Quote): void {
  const { text } = scan
  const head = (take(scan, HEAD) ?? doubt()).slice(2)
  const isNamed = /\w$/.test(head) && !/^[#!]?\d/.test(head)
  if (text[scan.at] === '[') {
    if (!isNamed) doubt()
    if (!skip(scan, PLAIN_INDEX)) inside(scan, () => scanIndex(scan))
  }
  if (text[scan.at] !== '}') {
    if (/^#|^[?$!-]$/.test(head)) doubt()
    const operator = take(scan, OPERATOR) ?? doubt()
    if (/^[@*]$/.test(operator) && !head.startsWith('!')) doubt()
    if (operator === ':') scanSlice(scan)
    else if (!operator.startsWith('@') && operator !== '*') scanOperand(scan, quote, /^:?[-=?+]$/.test(operator))
  }
  if (text[scan.at] !== '}' || scan.at >= scan.end) doubt()
  scan.at += 1
}

const NUMERIC = /[\w \t+\-*/%.,]+/y

/** At `[` behind a name: a number, and expansions that may become one. */
export function scanIndex(scan: Scan): void {
  scan.at += 1
  while (scan.text[scan.at] !== ']') {
    if (scan.at >= scan.end) doubt()
    if (scan.text[scan.at] === '$') scanDollar(scan, 'double')
    else need(scan, NUMERIC)
  }
  scan.at += 1
}

const OFFSET = /[\w\s+\-*%:()]+/y

function scanSlice(scan: Scan): void {
  if (!/[\w\s$(-]/.test(scan.text[scan.at] ?? '}')) doubt()
  while (scan.text[scan.at] !== '}') {
    if (scan.at >= scan.end) doubt()
    if (scan.text[scan.at] === '$') scanDollar(scan, 'double')
    else need(scan, OFFSET)
  }
}

const OPERAND = /[^}\\'"$`{<>=()]+/y
/** ends at the same place whether its quotes are quotes or text */
const EVEN_SINGLE = /'[^'}$`"\\{]*'/y
const EVEN_DOUBLE = /"(?:[^"}$`'\\{]|\$(?:\w+|\{\w+\}))*"/y
const SINGLE = /'[^']*'/y

/** Up to the brace that ends `${`. `isValue`: the operand takes the place of the parameter, so zsh looks for files by it. */
function scanOperand(scan: Scan, quote: Quote, isValue: boolean): void {
  const { text } = scan
  for (let char = text[scan.at]; char !== '}'; char = text[scan.at]) {
    if (scan.at >= scan.end || char === '{') doubt()
    if (char === '\\') {
      if (text[scan.at + 1] === '\n') doubt()
      scan.at += 2
    } else if (char === '$') scanDollar(scan, quote)
    else if (char === '`') scanBackticks(scan, quote)
    else if (char === "'") need(scan, quote === 'bare' ? SINGLE : EVEN_SINGLE)
    else if (char === '"') {
      if (quote === 'bare') scanDouble(scan)
      else if (quote === 'heredoc' || !skip(scan, EVEN_DOUBLE)) doubt()
    } else if (char === '(' || char === ')') {
      if (isValue && quote === 'bare') doubt()
      scan.at += 1
    } else if (char === '<' || char === '>' || char === '=') {
      if (text[scan.at + 1] === '(') doubt()
      scan.at += 1
    } else need(scan, OPERAND)
  }
}

const SUM = /[\w\s+\-*/%=!&|^~?:,<>]+/y
/** `$[1+1]`, which is text to some */
const TEXT_SUM = /\$\[[\w \t+\-*/%=?:,]+\]/y
/** in `((`, which some take for two parentheses: a new line would begin a command */
export const LINE_SUM = /[\w \t+\-*/%=!&|^~?:,<>]+/y
const QUOTED_NUMBER = /"\$?\w*"/y

/** Up to what ends a sum; quotes do not keep it from being expanded, so there are none. */
export function scanArithmetic(scan: Scan, sum = SUM, separator = ''): void {
  const { text } = scan
  let depth = 0
  for (;;) {
    if (scan.at >= scan.end) doubt()
    const char = text[scan.at]
    if (char === '(') {
      if (/[<>]$|[\s(]=$/.test(text.slice(scan.at - 2, scan.at))) doubt()
      depth += 1
      scan.at += 1
    } else if (char === ')' && depth > 0) {
      depth -= 1
      scan.at += 1
    } else if (depth === 0 && text.startsWith('))', scan.at) && scan.at + 2 <= scan.end) {
      scan.at += 2
      return
    } else if (char === '[' && /\w/.test(text[scan.at - 1] ?? '')) inside(scan, () => scanIndex(scan))
    else if (char === '$') scanDollar(scan, 'double')
    else if (char === '`') scanBackticks(scan, 'double')
    else if (char === '"') need(scan, QUOTED_NUMBER)
    else if (char === '#' && /\d/.test(text[scan.at - 1] ?? '')) scan.at += 1
    else if (char !== undefined && char === separator) scan.at += 1
    else need(scan, sum)
  }
}
