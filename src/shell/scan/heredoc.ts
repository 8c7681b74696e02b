import { scanActive } from './expansion.ts'
import { doubt, type Heredoc, type Scan, takeWord } from './state.ts'

const DELIMITER = /(?:[\w.-]+|'[\w .-]+'|"[\w .-]+"|\\\w[\w.-]*)/y

/** The word behind `<<`. */
export function scanDelimiter(scan: Scan, tabs: boolean): void {
  const word = takeWord(scan, DELIMITER) ?? doubt()
  scan.heredocs.push({ delimiter: word.replace(/['"\\]/g, ''), quoted: /['"\\]/.test(word), tabs })
}

/** The bodies of the heredocs that the line which has just ended began. */
export function scanBodies(scan: Scan): void {
  const waiting = scan.heredocs
  if (waiting.length === 0) return
  scan.heredocs = []
  for (const heredoc of waiting) scanBody(scan, heredoc)
}

function scanBody(scan: Scan, { delimiter, quoted, tabs }: Heredoc): void {
  const { text, end } = scan
  const from = scan.at
  let before = ''
  for (let at = from; ; ) {
    if (at >= end) doubt()
    const newline = text.indexOf('\n', at)
    const stop = newline === -1 || newline > end ? end : newline
    const line = tabs ? text.slice(at, stop).replace(/^\t+/, '') : text.slice(at, stop)
    // shells differ in whether such a line is joined to the next before it is compared
    const goesOn = !quoted && before.endsWith('\\')
    if (goesOn && (line === delimiter || delimiter.startsWith(before.slice(0, -1)))) doubt()
    if (line === delimiter) {
      if (!quoted) scanText(scan, at)
      scan.at = stop
      return
    }
    before = line
    at = stop + 1
  }
}

function scanText(scan: Scan, end: number): void {
  const outer = scan.end
  scan.end = end
  while (scan.at < end) scanActive(scan, scan.text[scan.at], 'heredoc')
  if (scan.at > end) doubt()
  scan.end = outer
}
