import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deepest, type Files, HOSTILE } from '../test/hostile/policies.ts'
import { Installed } from './installed.ts'
import { type Line, line, type Result, report } from './measure.ts'

const ROUNDS = 60
const BOUND = 2
/** Whatever else the machine does only makes a try slower. */
const TRIES = 3

/** Each just within the limits, or far beyond them. */
const KINDS: readonly (readonly [name: keyof typeof HOSTILE & string, many: number])[] = [
  ['regexes with repeats', 300],
  ['regexes with repeats', 50],
  ['plain regexes', 900],
  ['unknown keys', 40_000],
  ['rules', 1_500],
  ['rules that all speak', 1_500],
  ['stateful gates', 400],
  ['paths of many stars', 1_000],
  ['routes without a literal', 50],
  ['nested policies', 900],
  ['classes of unicode in regexes', 50],
  ['one long glob', 30_000],
  ['regexes of prompts', 300],
  ['a capture with a large schema', 300],
]

const LINE = `git push #${'x'.repeat(2_000)}`

/** A policy as a project has it. */
const HARMLESS: Files = {
  'signalbox.yaml': 'gates: { no-push: { rules: [{ when: { command: git push }, then: deny, message: no }] } }',
}

/**
 * How long another project's agent waits while the agent of a hostile one calls without a pause. The floor: its neighbour brings a
 * harmless policy, and calls in the same way.
 */
export async function benchHostile(project: string): Promise<Result> {
  const there = new Installed(project)
  const push = 'gates: { no-push: { rules: [{ when: { command: git push }, then: deny, message: no }] } }'
  writeFileSync(join(there.home, 'signalbox.yaml'), push)
  try {
    await there.daemon()
    const floorNow = () => beside(there, 'an agent with a harmless policy (floor)', HARMLESS)
    let floor = await floorNow()
    const lines: Line[] = [floor.line]
    const targets: Result['targets'][number][] = []
    for (const [name, many] of KINDS) {
      const files = HOSTILE[name]?.(many) ?? {}
      let best = { ratio: Number.POSITIVE_INFINITY, own: floor.line, bounds: floor.line }
      const all = { denied: 0, calls: 0, slowest: 0 }
      for (let nth = 0; nth < TRIES && best.ratio > BOUND; nth++) {
        const before = floor
        const tried = await beside(there, `${name}, ${many}`, files)
        // before and after it: the machine may have become busier meanwhile
        floor = await floorNow()
        const bounds = line(
          'floor',
          [...before.samples, ...floor.samples].sort((a, b) => a - b),
        )
        all.denied += tried.denied
        all.calls += tried.calls
        all.slowest = Math.max(all.slowest, tried.slowest)
        const ratio = tried.line.p95 / bounds.p95
        if (ratio < best.ratio) best = { ratio, own: tried.line, bounds }
      }
      const { ratio, own, bounds } = best
      const { denied, calls, slowest } = all
      lines.push(own)
      const told = `${ratio.toFixed(2)} × the floor around it (${(bounds.p95 / 1000).toFixed(1)} ms) at p95 ≤ ${BOUND} ×`
      targets.push({ text: `${own.name}: ${told}`, ok: ratio <= BOUND })
      const refused = `${denied} of ${calls} of its own calls were refused, the slowest in ${(slowest / 1000).toFixed(0)} ms`
      targets.push({ text: `${own.name}: ${refused}`, ok: denied === calls })
    }
    return report('another project beside a hostile one', lines, targets)
  } finally {
    there.end()
  }
}

async function beside(there: Installed, name: string, files: Files) {
  const root = join(there.folder, 'hostile')
  rmSync(root, { recursive: true, force: true })
  for (const [file, text] of [['.git/HEAD', ''], ...Object.entries(files)] as const) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    // a different text each time, so that no earlier try has left a compiled policy
    writeFileSync(join(root, file), file.endsWith('.yaml') ? `${text}\n# ${there.sent}\n` : text)
  }
  const cwd = join(root, deepest(files))
  const neighbour = { isOver: false, denied: 0, calls: 0, slowest: 0 }
  const calling = (async () => {
    while (!neighbour.isOver) {
      const { us, out } = await there.run(
        there.hook,
        there.hookArgs,
        there.payload('small', LINE, { cwd, session_id: name }),
      )
      neighbour.calls += 1
      neighbour.denied += out.includes('"deny"') ? 1 : 0
      neighbour.slowest = Math.max(neighbour.slowest, us)
    }
  })()
  const samples: number[] = []
  while (neighbour.calls === 0) await new Promise(done => setTimeout(done, 20))
  for (let round = 0; round < ROUNDS; round++)
    samples.push((await there.run(there.hook, there.hookArgs, there.payload('small', 'ls'))).us)
  neighbour.isOver = true
  await calling
  const measured = line(
    name,
    samples.sort((a, b) => a - b),
  )
  return { ...neighbour, line: measured, samples }
}
