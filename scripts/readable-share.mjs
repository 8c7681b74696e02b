// `node scripts/readable-share.mjs [folder…]`: how many lines the reader cannot read, how many a whitelist of readers lets pass, and
// what one line costs. The folders hold recorded sessions besides those of the tests.
import { everydayLines, recordedLines, tableLines } from './fuzz/lines.mjs'
import { loadReader } from './fuzz/reader.mjs'
import { isCleared, isOpaque } from './fuzz/verdict.mjs'

const readShell = await loadReader()
const others = process.argv.slice(2)
const sets = [
  ['recorded sessions', recordedLines()],
  ...(others.length > 0 ? [['other sessions', recordedLines(others)]] : []),
  ['tables', tableLines()],
  ['what the tables let pass', tableLines('passes')],
  ['lines of every day', everydayLines()],
]
for (const [name, lines] of sets) {
  const readings = lines.map(line => readShell(line))
  const share = count => `${count} (${((100 * count) / lines.length).toFixed(1)} %)`
  const before = process.cpuUsage()
  for (const line of lines) readShell(line)
  const { user } = process.cpuUsage(before)
  const cost = `${(user / lines.length).toFixed(1)} µs each`
  console.log(
    `${name}: ${lines.length} lines, opaque ${share(readings.filter(isOpaque).length)}, cleared ${share(readings.filter(isCleared).length)}, ${cost}`,
  )
}
