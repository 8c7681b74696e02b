import { scanBackticks, scanDollar, scanDoubleQuotes, scanIndex } from './expansion.ts'
import {
  failScan,
  isWordEnd,
  requirePattern,
  type ScanState,
  scanNested,
  scanSubstitution,
  skipPattern,
  takePattern,
} from './scan-state.ts'

const PLAIN_CHARS = /[\w./:,@%+=~^{}\-\]]+/y
/** characters that begin no expansion and are part of no operator, including non-ASCII letters */
const OTHER_CHARS = /[!#]|[^\0-\xa0]+/y
const SINGLE_QUOTED = /'[^']*'/y

/** Scans one word of a command. */
export function scanWord(scan: ScanState): void {
  const { text, at: from } = scan
  if (text[from + 1] === '(' && '<>='.includes(text[from] ?? ' ')) {
    scanProcessSubstitution(scan)
    return
  }
  let wild = false
  let braced = false
  while (!isWordEnd(scan)) {
    const char = text[scan.at]
    if (char === '\\') {
      // fail for a word that continues on the next line; stop if white space follows the line continuation
      if (text[scan.at + 1] === '\n' && /[ \t\n]/.test(text[scan.at + 2] ?? '')) break
      if (text[scan.at + 1] === '\n' || scan.at + 1 >= scan.end) failScan()
      scan.at += 2
    } else if (char === "'") requirePattern(scan, SINGLE_QUOTED)
    else if (char === '"') scanDoubleQuotes(scan)
    else if (char === '$') scanDollar(scan, 'bare')
    else if (char === '`') scanBackticks(scan, 'bare')
    else {
      if (char === '*' || char === '?' || char === '[') {
        wild = true
        scan.at += 1
      } else {
        const plain = scan.at
        if (!skipPattern(scan, PLAIN_CHARS)) requirePattern(scan, OTHER_CHARS)
        braced ||= text.slice(plain, scan.at).includes('{')
      }
      if (text[scan.at] === '(' && '@+!?*'.includes(text[scan.at - 1] ?? ' ')) scanGroup(scan, wild)
    }
  }
  if (scan.at === from) failScan()
  if (braced && /,|\.\./.test(text.slice(from, scan.at))) scan.differsByShell = true
  if (scan.heredocs.length > 0 && text.slice(from, scan.at).includes('\n')) failScan()
}

/** `<(…)` and `>(…)` as separate words. Only zsh has `=(…)`. */
function scanProcessSubstitution(scan: ScanState): void {
  const { text, at } = scan
  if (text[at] === '=' || !/[\s(]/.test(text[at - 1] ?? '\n')) failScan()
  scan.openings.set(at, undefined)
  scan.at += 2
  scanSubstitution(scan, ')')
  if (!isWordEnd(scan) || /[<>(]/.test(text[scan.at] ?? '')) failScan()
}

const GROUP = /\([\w./*?,:@%+=~^!|[\]-]+\)/y
const QUOTED_GROUP = /\((?:[^()'"`$\\\n<>;&]|'[^']*'|"[^"`$\\]*")*\)/y

/**
 * Zsh qualifiers that run code (`e`, `+`), change a file name into another word (`P`, `:s` and other modifiers), or evaluate a
 * name (`[x]`). Without another wildcard in the word, QUALIFIERS distinguishes them from plain words by the following characters.
 */
const WILD_QUALIFIERS = /[e+P:]|\[[^[\]]*[A-Za-z_]/
const QUALIFIERS = /[eP]\[|[+:]|\[[^[\]]*[A-Za-z_]/

/** `e_code_`: the character behind the letter comes again. A character that has no second place is looked for only once. */
function hasDelimitedCode(group: string): boolean {
  const single = new Set<string>()
  for (const { index } of group.matchAll(/[eP]/g)) {
    const delimiter = group[index + 1] ?? ')'
    if (single.has(delimiter)) continue
    if (group.includes(delimiter, index + 2)) return true
    single.add(delimiter)
  }
  return false
}

/** Scans `@(js|ts)`. Zsh reads a group without alternatives as a list of qualifiers. */
function scanGroup(scan: ScanState, wild: boolean): void {
  const { text, at } = scan
  const group = takePattern(scan, GROUP)
  if (group === undefined) {
    requirePattern(scan, QUOTED_GROUP)
    scan.qualified = true
    return
  }
  if (group.includes('|')) return
  const isWild = wild || /[?*]/.test(text[at - 1] ?? '')
  if (isWild ? WILD_QUALIFIERS.test(group) : QUALIFIERS.test(group) || hasDelimitedCode(group)) scan.qualified = true
}

const ASSIGNMENT_START = /[A-Za-z_]\w*\+?=/y
const INDEXED = /[A-Za-z_]\w*(?=\[)/y
const ASSIGNMENT_OPERATOR = /\+?=/y

/** Scans `name=value`, `name[1]+=value` or `name=(…)`. Returns false and does not advance if the word is not an assignment. */
export function scanAssignment(scan: ScanState): boolean {
  const { text, at } = scan
  if (skipPattern(scan, ASSIGNMENT_START)) {
    if (text[scan.at] === '(') scanNested(scan, () => scanArray(scan))
    else if (!isWordEnd(scan)) scanWord(scan)
    return true
  }
  if (!skipPattern(scan, INDEXED)) return false
  scanIndex(scan)
  if (!skipPattern(scan, ASSIGNMENT_OPERATOR)) {
    scan.at = at
    return false
  }
  if (text[scan.at] === '(') failScan()
  if (!isWordEnd(scan)) scanWord(scan)
  return true
}

const ELEMENT_SEPARATOR = /(?:[ \t\n]|(?<=[ \t\n])(?:#[^\n'"`()\\]*(?=\n)|\\\n))+/y
const ELEMENT_INDEX = /\[(?:[\w@$+.:/ -]*|"[\w .:/-]*"|'[\w .:/-]*')\]\+?=/y

function scanArray(scan: ScanState): void {
  const { text, at: from } = scan
  scan.at += 1
  for (skipPattern(scan, ELEMENT_SEPARATOR); text[scan.at] !== ')'; skipPattern(scan, ELEMENT_SEPARATOR)) {
    if (scan.at >= scan.end) failScan()
    const at = scan.at
    const isIndexed = skipPattern(scan, ELEMENT_INDEX)
    if (isIndexed && isWordEnd(scan)) continue
    scanWord(scan)
    if (!isIndexed && text[at] === '[' && /\]\+?=/.test(text.slice(at, scan.at))) failScan()
  }
  scan.at += 1
  if (!isWordEnd(scan) || /[<>(]/.test(text[scan.at] ?? '')) failScan()
  if (scan.heredocs.length > 0 && text.slice(from, scan.at).includes('\n')) failScan()
}
