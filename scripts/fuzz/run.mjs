// Makes lines, reads them, and runs in real shells every one that a whitelist of readers would let pass: it must change nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { CANARY, generateForeign, generateLine, generatePieces, insertCanary, isForeign, mutate } from './generate.mjs'
import { everydayLines, KEPT, keptLines, recordedLines, tableLines } from './lines.mjs'
import { newRandom } from './random.mjs'
import { loadReader } from './reader.mjs'
import { effectOf, isHarmless, newSandbox, runLines, shellsHere, variantsOf } from './shells.mjs'
import { shrink } from './shrink.mjs'
import { isCleared } from './verdict.mjs'

const BATCH = 120
const AT_ONCE = 2
const MOST_KNOWN = 3_000_000

/** A shell that cannot run, or whose effects are not seen, would find nothing. */
async function checkShells(arena, shells) {
  for (const variant of shells.flatMap(variantsOf)) {
    const { changed } = await runLines(arena, variant, [CANARY])
    if (changed.length === 0) throw new Error(`${variant.join(' ')}: \`${CANARY}\` changes nothing here`)
  }
}

/** @param {{ minutes?: number, lines?: number, seed: number, shells?: readonly string[], sources?: string, without?: RegExp, keep: boolean }} options */
export async function hunt({ minutes, lines: most, seed, shells = shellsHere(), sources, without, keep }) {
  const readShell = await loadReader(sources)
  const clears = line => isCleared(readShell(line))
  const arena = newSandbox()
  const state = { judged: 0, cleared: 0, run: 0, late: 0, hits: [], from: Date.now() }
  const until = state.from + (minutes ?? Number.POSITIVE_INFINITY) * 60_000
  const makeLine = newMaker(newRandom(seed))
  const known = new Set()
  const batches = new Map(shells.map(shell => [shell, []]))
  const running = new Set()
  const random = newRandom(seed + 1)

  async function finish(shell, lines) {
    const variant = random.pick(variantsOf(shell))
    const { changed, late } = await runLines(arena, variant, lines)
    state.run += lines.length
    if (changed.length === 0 && !late) return
    for (const line of lines) {
      if (state.hits.length >= 50) return
      const { changed, late } = await runLines(arena, variant, [line])
      if (late) state.late += 1
      if (changed.length > 0) await note(variant, line, changed)
    }
  }

  async function note(variant, line, changed) {
    const stillDoes = async shorter =>
      clears(shorter) && isHarmless(shorter) && (await effectOf(arena, variant, shorter)).length > 0
    const short = await shrink(line, stillDoes)
    if (state.hits.some(hit => hit.line === short)) return
    state.hits.push({ shell: variant[0], line: short })
    console.error(`${variant.join(' ')}: ${JSON.stringify(short)} was cleared, and changed ${changed.join(', ')}`)
  }

  async function start(shell, lines) {
    while (running.size >= AT_ONCE) await Promise.race(running)
    const job = finish(shell, lines).finally(() => running.delete(job))
    running.add(job)
  }

  try {
    await checkShells(arena, shells)
    while (Date.now() < until && state.judged < (most ?? Number.POSITIVE_INFINITY) && state.hits.length < 50) {
      const line = makeLine()
      if (known.has(line) || without?.test(line)) continue
      if (known.size < MOST_KNOWN) known.add(line)
      state.judged += 1
      if (state.judged % 2000 === 0) report(state)
      // shells that have ended are heard of only in between
      if (state.judged % 50 === 0) await setImmediate()
      if (!clears(line)) continue
      state.cleared += 1
      if (!isHarmless(line)) continue
      for (const [shell, waiting] of batches) {
        waiting.push(line)
        if (waiting.length >= BATCH) await start(shell, waiting.splice(0))
      }
    }
    for (const [shell, waiting] of batches) if (waiting.length > 0) await start(shell, waiting.splice(0))
    await Promise.all(running)
  } finally {
    arena.remove()
  }
  if (keep) keepHits(state.hits)
  return state
}

/** Lines without end: made by rules, of pieces, or from what others wrote; most of them with a few characters changed. */
function newMaker(random) {
  const seeds = [...everydayLines(), ...tableLines(), ...recordedLines()].filter(line => line.length < 200)
  const kept = keptLines().map(({ line }) => line)
  return () => {
    if (random.chance(0.4)) {
      const line = generateForeign(random)
      const text = random.chance(0.5) ? line : mutate(line, random)
      return isForeign(text) || text.includes('>') ? text : `${text} ${CANARY}`
    }
    const how = random.below(10)
    const line =
      how < 5
        ? generateLine(random)
        : how < 7
          ? generatePieces(random)
          : how < 9 || kept.length === 0
            ? insertCanary(random.pick(seeds), random)
            : random.chance(0.5)
              ? random.pick(kept)
              : insertCanary(random.pick(kept), random)
    const text = mutate(line, random)
    return text.includes(CANARY) || text.includes('>') ? text : `${text} ${CANARY}`
  }
}

export const rate = ({ judged, from }) => Math.round(judged / Math.max(1, (Date.now() - from) / 1000))

function report(state) {
  if (!process.stderr.isTTY) return
  const { judged, cleared, run, hits } = state
  process.stderr.write(
    `\r${judged} lines judged, ${cleared} cleared, ${run} run, ${hits.length} hits, ${rate(state)}/s `,
  )
}

/** Adds what was found to the cases that every test run plays again. */
function keepHits(hits) {
  if (hits.length === 0) return
  const known = new Set(keptLines().map(({ line }) => line))
  const fresh = hits.filter(({ line }) => !known.has(line))
  const rows = fresh.map(({ shell, line }) => `- { shell: ${shell}, line: ${JSON.stringify(line)} }\n`)
  writeFileSync(KEPT, readFileSync(KEPT, 'utf8') + rows.join(''))
}
