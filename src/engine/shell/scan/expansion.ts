import {
  failScan,
  type QuoteContext,
  requirePattern,
  type ScanState,
  scanNested,
  scanSubstitution,
  skipPattern,
  takePattern,
} from './scan-state.ts'

const SIMPLE_EXPANSION = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/y
/** `$x[1]`: zsh reads an index and evaluates names in it; other shells read plain text */
const ZSH_INDEX = /\[[\d.,@*^!+-]*\]/y
/** in zsh `$#x[1]` is the length of `$x[1]`, also where the index is in the next line */
const INDEX_OF_LENGTH = /(?:[A-Za-z_]\w*|\d+|[@*?$!#-])(?:\[|\\\n)/y
/** zsh: `$=x`, `$~x`, `$^x`, `$+x`, `$~[…]` */
const ZSH_FLAGGED = /\$[=~^+]/y
const ANSI_QUOTED = /\$'(?:[^'\\]|\\[\s\S])*'/y

/** Scans an expansion that begins with `$`. */
export function scanDollar(scan: ScanState, quote: QuoteContext): void {
  const { text, at } = scan
  const next = text[at + 1]
  if (quote === 'bare' && (next === "'" || next === '"')) scan.differsByShell = true
  if (next === '(') scanParenthesis(scan)
  else if (next === '{') scanNested(scan, () => scanParameter(scan, quote))
  else if (next === '[') {
    // `$[…]` is not in every shell, and its content is parsed by special rules
    requirePattern(scan, BRACKET_ARITHMETIC_CHARS)
  } else if (next === "'" && quote === 'bare') scanAnsiQuotes(scan)
  else if (next === '\\' && text[at + 2] === '\n') failScan()
  else if (skipPattern(scan, SIMPLE_EXPANSION)) {
    // zsh reads `$$((` as a `$` before arithmetic
    if (next === '$' && /[([{$]/.test(text[scan.at] ?? '')) failScan()
    // the name, or an index of it, may go on in the next line
    if (text.startsWith('\\\n', scan.at)) failScan()
    if (text[scan.at] === '[') requirePattern(scan, ZSH_INDEX)
    if (next === '#' && skipPattern(scan, INDEX_OF_LENGTH)) failScan()
  } else if (skipPattern(scan, ZSH_FLAGGED)) failScan()
  else scan.at += 1
}

function scanParenthesis(scan: ScanState): void {
  const { at } = scan
  if (scan.text[at + 2] === '(') {
    scan.at += 3
    scanNested(scan, () => scanArithmetic(scan))
    return
  }
  scan.openings.set(at, undefined)
  scan.at += 2
  scanSubstitution(scan, ')')
}

const ESCAPE = /\\[\s\S]/g

/**
 * Dash reads `$'` as a `$` before a plain single quote: an escaped quote ends it, and a backslash is literal. As the text of a
 * script it would therefore differ. The meaning of other escapes differs between shells too.
 */
function scanAnsiQuotes(scan: ScanState): void {
  const string = takePattern(scan, ANSI_QUOTED) ?? failScan()
  // zsh expands the content of `$'…'` inside another expansion
  if (scan.depth > 0 && /[$`]|\\[xuU0-7cC]/.test(string.slice(2))) failScan()
  const escapes = (string.match(ESCAPE) ?? []).filter(pair => !/[ntreEabfv]/.test(pair[1] ?? ''))
  if (escapes.length === 0) return
  if (escapes.some(pair => !/[\\'"?xuU0-7]/.test(pair[1] ?? '')) || /[;&|<>()$`#\n]/.test(string.slice(2))) failScan()
  if (escapes.includes("\\'") && scan.text.includes("'", scan.at)) failScan()
}

/** Scans a double-quoted string from its opening quote. */
export function scanDoubleQuotes(scan: ScanState): void {
  const { text } = scan
  scan.at += 1
  for (;;) {
    if (scan.at >= scan.end) failScan()
    const char = text[scan.at]
    if (char === '"') break
    scanExpandingText(scan, char, 'double')
  }
  scan.at += 1
}

const PLAIN_CHARS = /[^"$`\\]+/y

/** Scans one piece of text in which only `$`, backticks and backslashes are special. */
export function scanExpandingText(scan: ScanState, char: string | undefined, quote: 'double' | 'heredoc'): void {
  if (char === '\\') scan.at += 2
  else if (char === '$') scanDollar(scan, quote)
  else if (char === '`') scanBackticks(scan, quote)
  else if (!skipPattern(scan, PLAIN_CHARS)) scan.at = char === '"' ? scan.at + 1 : scan.end
}

/** Scans a backtick substitution. If it has escapes, its unescaped text is scanned separately when it is walked. */
export function scanBackticks(scan: ScanState, quote: QuoteContext): void {
  const { text, at, end } = scan
  let close = at + 1
  while (close < end && text[close] !== '`') close += text[close] === '\\' ? 2 : 1
  if (close >= end) failScan()
  const code = text.slice(at + 1, close)
  if (code.includes('\\')) scan.openings.set(at, unescapeBackticks(code, quote))
  else {
    scan.openings.set(at, undefined)
    scan.at = at + 1
    scan.end = close
    scanSubstitution(scan, 'end')
    scan.end = end
  }
  scan.at = close + 1
}

const unescapeBackticks = (code: string, quote: QuoteContext): string =>
  code.replace(quote === 'double' ? /\\([$`\\"])/g : /\\([$`\\])/g, '$1')

const PARAMETER_HEAD = /\$\{(?:#?[A-Za-z_]\w*|#?\d+|#[@*]|![A-Za-z_]\w*|!\d+|[@*?$!#-])/y
const PLAIN_INDEX = /\[(?:[@*]|-?\w+|"[\w .:/-]*"|'[\w .:/-]*')\]/y
const OPERATOR = /:[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|@[QEAaKkULu](?=\})|[@*](?=\})|:/y

/** Scans `${…}`: a name, an index, a known operator, and its operand. */
function scanParameter(scan: ScanState, quote: QuoteContext): void {
  const { text } = scan
  const head = (takePattern(scan, PARAMETER_HEAD) ?? failScan()).slice(2)
  const isNamed = /\w$/.test(head) && !/^[#!]?\d/.test(head)
  if (text[scan.at] === '[') {
    if (!isNamed) failScan()
    if (!skipPattern(scan, PLAIN_INDEX)) scanNested(scan, () => scanIndex(scan))
  }
  if (text[scan.at] !== '}') {
    if (/^#|^[?$!-]$/.test(head)) failScan()
    const operator = takePattern(scan, OPERATOR) ?? failScan()
    if (/^[@*]$/.test(operator) && !head.startsWith('!')) failScan()
    if (operator === ':') scanSlice(scan)
    else if (!operator.startsWith('@') && operator !== '*') scanOperand(scan, quote, /^:?[-=?+]$/.test(operator))
  }
  if (text[scan.at] !== '}' || scan.at >= scan.end) failScan()
  scan.at += 1
}

const NUMERIC = /[\w \t+\-*/%.,]+/y

/** Scans an index from `[`: a number, or expansions that may become one. */
export function scanIndex(scan: ScanState): void {
  scan.at += 1
  while (scan.text[scan.at] !== ']') {
    if (scan.at >= scan.end) failScan()
    if (scan.text[scan.at] === '$') scanDollar(scan, 'double')
    else requirePattern(scan, NUMERIC)
  }
  scan.at += 1
}

const SLICE_OFFSET = /[\w\s+\-*%:()]+/y

function scanSlice(scan: ScanState): void {
  if (!/[\w\s$(-]/.test(scan.text[scan.at] ?? '}')) failScan()
  while (scan.text[scan.at] !== '}') {
    if (scan.at >= scan.end) failScan()
    if (scan.text[scan.at] === '$') scanDollar(scan, 'double')
    else requirePattern(scan, SLICE_OFFSET)
  }
}

const OPERAND = /[^}\\'"$`{<>=()]+/y
/** ends at the same position whether its quotes are special or plain text */
const EVEN_SINGLE = /'[^'}$`"\\{]*'/y
const EVEN_DOUBLE = /"(?:[^"}$`'\\{]|\$(?:\w+|\{\w+\}))*"/y
const SINGLE_QUOTED = /'[^']*'/y

/** Scans up to the closing brace of `${`. `isValue`: the operand replaces the parameter, so zsh expands it as a file pattern. */
function scanOperand(scan: ScanState, quote: QuoteContext, isValue: boolean): void {
  const { text } = scan
  for (let char = text[scan.at]; char !== '}'; char = text[scan.at]) {
    if (scan.at >= scan.end || char === '{') failScan()
    if (char === '\\') {
      if (text[scan.at + 1] === '\n') failScan()
      scan.at += 2
    } else if (char === '$') scanDollar(scan, quote)
    else if (char === '`') scanBackticks(scan, quote)
    else if (char === "'") requirePattern(scan, quote === 'bare' ? SINGLE_QUOTED : EVEN_SINGLE)
    else if (char === '"') {
      if (quote === 'bare') scanDoubleQuotes(scan)
      else if (quote === 'heredoc' || !skipPattern(scan, EVEN_DOUBLE)) failScan()
    } else if (char === '(' || char === ')') {
      if (isValue && quote === 'bare') failScan()
      scan.at += 1
    } else if (char === '<' || char === '>' || char === '=') {
      if (text[scan.at + 1] === '(') failScan()
      scan.at += 1
    } else requirePattern(scan, OPERAND)
  }
}

const ARITHMETIC_CHARS = /[\w\s+\-*/%=!&|^~?:,<>]+/y
/** `$[1+1]`, which some shells read as plain text */
const BRACKET_ARITHMETIC_CHARS = /\$\[[\w \t+\-*/%=?:,]+\]/y
/** for `((`, which some shells read as two parentheses: a newline would begin a command */
export const LINE_ARITHMETIC_CHARS = /[\w \t+\-*/%=!&|^~?:,<>]+/y
const QUOTED_NUMBER = /"\$?\w*"/y

/** Scans up to the `))` that ends the arithmetic. Quotes do not prevent expansion here, so only simple quoted numbers are allowed. */
export function scanArithmetic(scan: ScanState, sum = ARITHMETIC_CHARS, separator = ''): void {
  const { text } = scan
  let depth = 0
  for (;;) {
    if (scan.at >= scan.end) failScan()
    const char = text[scan.at]
    if (char === '(') {
      if (/[<>]$|[\s(]=$/.test(text.slice(scan.at - 2, scan.at))) failScan()
      depth += 1
      scan.at += 1
    } else if (char === ')' && depth > 0) {
      depth -= 1
      scan.at += 1
    } else if (depth === 0 && text.startsWith('))', scan.at) && scan.at + 2 <= scan.end) {
      scan.at += 2
      return
    } else if (char === '[' && /\w/.test(text[scan.at - 1] ?? '')) scanNested(scan, () => scanIndex(scan))
    else if (char === '$') scanDollar(scan, 'double')
    else if (char === '`') scanBackticks(scan, 'double')
    else if (char === '"') requirePattern(scan, QUOTED_NUMBER)
    else if (char === '#' && /\d/.test(text[scan.at - 1] ?? '')) scan.at += 1
    else if (char !== undefined && char === separator) scan.at += 1
    else requirePattern(scan, sum)
  }
}
