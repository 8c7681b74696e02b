import { scanBackticks, scanDollar, scanDouble, scanIndex } from './expansion.ts'
import { doubt, inside, isEnd, need, type Scan, scanCommands, skip, take } from './state.ts'

const PLAIN = /[\w./:,@%+=~^{}\-\]]+/y
/** what begins no expansion, and is part of no operator; letters of any script are */
const OTHER = /[!#]|[^\0-\xa0]+/y
const SINGLE = /'[^']*'/y

/** A word as a command is given it. */
export function scanWord(scan: Scan): void {
  const { text, at: from } = scan
  if (text[from + 1] === '(' && '<>='.includes(text[from] ?? ' ')) {
    scanProcess(scan)
    return
  }
  let wild = false
  let braced = false
  while (!isEnd(scan)) {
    const char = text[scan.at]
    if (char === '\\') {
      // a word that goes on in the next line is put together there
      if (text[scan.at + 1] === '\n' && /[ \t\n]/.test(text[scan.at + 2] ?? '')) break
      if (text[scan.at + 1] === '\n' || scan.at + 1 >= scan.end) doubt()
      scan.at += 2
    } else if (char === "'") need(scan, SINGLE)
    else if (char === '"') scanDouble(scan)
    else if (char === '$') scanDollar(scan, 'bare')
    else if (char === '`') scanBackticks(scan, 'bare')
    else {
      if (char === '*' || char === '?' || char === '[') {
        wild = true
        scan.at += 1
      } else {
        const plain = scan.at
        if (!skip(scan, PLAIN)) need(scan, OTHER)
        braced ||= text.slice(plain, scan.at).includes('{')
      }
      if (text[scan.at] === '(' && '@+!?*'.includes(text[scan.at - 1] ?? ' ')) scanGroup(scan, wild)
    }
  }
  if (scan.at === from) doubt()
  if (braced && /,|\.\./.test(text.slice(from, scan.at))) scan.differsByShell = true
  if (scan.heredocs.length > 0 && text.slice(from, scan.at).includes('\n')) doubt()
}

/** `<(…)` and `>(…)`, as words of their own; `=(…)` is of zsh alone. */
function scanProcess(scan: Scan): void {
  const { text, at } = scan
  if (text[at] === '=' || !/[\s(]/.test(text[at - 1] ?? '\n')) doubt()
  scan.openings.set(at, undefined)
  scan.at += 2
  scanCommands(scan, ')')
  if (!isEnd(scan) || /[<>(]/.test(text[scan.at] ?? '')) doubt()
}

const GROUP = /\([\w./*?,:@%+=~^!|[\]-]+\)/y
const QUOTED_GROUP = /\((?:[^()'"`$\\\n<>;&]|'[^']*'|"[^"`$\\]*")*\)/y

/**
 * Qualifiers of zsh by which code runs (`e`, `+`), by which the name of a file becomes another word (`P`, and `:s` and others), or in
 * which a name is evaluated (`[x]`). Where nothing else is a wildcard they are told from plain words by what follows.
 */
const WILD_QUALIFIERS = /[e+P:]|\[[^[\]]*[A-Za-z_]/
const QUALIFIERS = /[eP](.).*\1|[eP]\[|[+:]|\[[^[\]]*[A-Za-z_]/

/** `@(js|ts)`. What is no list of alternatives is a list of qualifiers to zsh. */
function scanGroup(scan: Scan, wild: boolean): void {
  const { text, at } = scan
  const group = take(scan, GROUP)
  if (group === undefined) {
    need(scan, QUOTED_GROUP)
    scan.qualified = true
    return
  }
  const runs = wild || /[?*]/.test(text[at - 1] ?? '') ? WILD_QUALIFIERS : QUALIFIERS
  if (!group.includes('|') && runs.test(group)) scan.qualified = true
}

const ASSIGNS = /[A-Za-z_]\w*\+?=/y
const INDEXED = /[A-Za-z_]\w*(?=\[)/y
const ASSIGNED = /\+?=/y

/** `name=value`, `name[1]+=value`, `name=(…)`; false, and nothing taken, where the word is no assignment. */
export function scanAssignment(scan: Scan): boolean {
  const { text, at } = scan
  if (skip(scan, ASSIGNS)) {
    if (text[scan.at] === '(') inside(scan, () => scanArray(scan))
    else if (!isEnd(scan)) scanWord(scan)
    return true
  }
  if (!skip(scan, INDEXED)) return false
  scanIndex(scan)
  if (!skip(scan, ASSIGNED)) {
    scan.at = at
    return false
  }
  if (text[scan.at] === '(') doubt()
  if (!isEnd(scan)) scanWord(scan)
  return true
}

const BETWEEN = /(?:[ \t\n]|(?<=[ \t\n])(?:#[^\n'"`()\\]*(?=\n)|\\\n))+/y
const ELEMENT_INDEX = /\[(?:[\w@$+.:/ -]*|"[\w .:/-]*"|'[\w .:/-]*')\]\+?=/y

function scanArray(scan: Scan): void {
  const { text, at: from } = scan
  scan.at += 1
  for (skip(scan, BETWEEN); text[scan.at] !== ')'; skip(scan, BETWEEN)) {
    if (scan.at >= scan.end) doubt()
    const at = scan.at
    const isIndexed = skip(scan, ELEMENT_INDEX)
    if (isIndexed && isEnd(scan)) continue
    scanWord(scan)
    if (!isIndexed && text[at] === '[' && /\]\+?=/.test(text.slice(at, scan.at))) doubt()
  }
  scan.at += 1
  if (!isEnd(scan) || /[<>(]/.test(text[scan.at] ?? '')) doubt()
  if (scan.heredocs.length > 0 && text.slice(from, scan.at).includes('\n')) doubt()
}
