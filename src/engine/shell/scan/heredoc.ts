import { scanExpandingText } from './expansion.ts'
import { failScan, type PendingHeredoc, type ScanState, takeWholeWord } from './scan-state.ts'

const DELIMITER = /(?:[\w.-]+|'[\w .-]+'|"[\w .-]+"|\\\w[\w.-]*)/y

/** Scans the delimiter word behind `<<`. */
export function scanHeredocDelimiter(scan: ScanState, tabs: boolean): void {
  const word = takeWholeWord(scan, DELIMITER) ?? failScan()
  scan.heredocs.push({ delimiter: word.replace(/['"\\]/g, ''), quoted: /['"\\]/.test(word), tabs })
}

/** Scans the bodies of the heredocs that began on the line before. */
export function scanHeredocBodies(scan: ScanState): void {
  const waiting = scan.heredocs
  if (waiting.length === 0) return
  scan.heredocs = []
  for (const heredoc of waiting) scanHeredocBody(scan, heredoc)
}

function scanHeredocBody(scan: ScanState, { delimiter, quoted, tabs }: PendingHeredoc): void {
  const { text, end } = scan
  const from = scan.at
  let before = ''
  for (let at = from; ; ) {
    if (at >= end) failScan()
    const newline = text.indexOf('\n', at)
    const stop = newline === -1 || newline > end ? end : newline
    const line = tabs ? text.slice(at, stop).replace(/^\t+/, '') : text.slice(at, stop)
    // shells differ in whether a line ending in a backslash is joined with the next before the delimiter comparison
    const goesOn = !quoted && before.endsWith('\\')
    if (goesOn && (line === delimiter || delimiter.startsWith(before.slice(0, -1)))) failScan()
    if (line === delimiter) {
      if (!quoted) scanHeredocText(scan, at)
      scan.at = stop
      return
    }
    before = line
    at = stop + 1
  }
}

function scanHeredocText(scan: ScanState, end: number): void {
  const outer = scan.end
  scan.end = end
  while (scan.at < end) scanExpandingText(scan, scan.text[scan.at], 'heredoc')
  if (scan.at > end) failScan()
  scan.end = outer
}
