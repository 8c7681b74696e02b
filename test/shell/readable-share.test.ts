import { describe, expect, it } from 'vitest'
import { everydayLines, recordedLines, tableLines } from '../../scripts/fuzz/lines.mjs'
import { isCleared, isOpaque } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

/**
 * Safety must not be bought with lines of every day. The numbers are those of the reader before it held the text against its tree:
 * at most so many of a thousand lines are opaque, at least so many are cleared. `node scripts/readable-share.mjs` prints them.
 */
/** Tables written since then: their lines are there to be in doubt, or beside a call that is denied. They would change the share, not the reader. */
const LATER = [
  ...'budget databases destructive focus git-safety infrastructure network quality secrets'
    .split(' ')
    .map(pack => `packs/${pack}/`),
  ...'command-and-file counter-resets facts file with words written-text'
    .split(' ')
    .map(name => `test/semantics/${name}.yaml`),
]

describe('how much of what people write can be read', () => {
  it.each([
    // 20 of the 37 lines that were recorded then; a session recorded later has other commands
    ['recorded sessions', recordedLines(), 0, 20_000 / recordedLines().length],
    ['lines of every day', everydayLines(), 39, 753],
    ['what the tables let pass', tableLines('passes', LATER), 41, 590],
  ] as const)('%s', (_name, lines, mostOpaque, leastCleared) => {
    const readings = lines.map(line => analyseShellLine(line))
    expect((1000 * readings.filter(isOpaque).length) / lines.length).toBeLessThanOrEqual(mostOpaque)
    expect((1000 * readings.filter(isCleared).length) / lines.length).toBeGreaterThanOrEqual(leastCleared)
  })
})
