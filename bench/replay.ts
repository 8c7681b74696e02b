import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReplayPolicyLoader, type ReplaySource, type ReplayVariant, replay } from '../src/analysis/replay/index.ts'
import { clients } from '../src/clients/index.ts'
import * as shell from '../src/engine/shell/index.ts'
import { foldersOf } from '../src/hook/index.ts'
import * as regex from '../src/hook/services/regex.ts'
import * as compiler from '../src/policy/compile/compiler.ts'
import { SqliteStore } from '../src/store/index.ts'
import { POLICY } from './bench-project.ts'
import { type Line, type Result, report } from './measure.ts'
import { writePast } from './stats.ts'
import { AGENTS, writeSessions } from './transcript-generator.ts'

/** `SIGNALBOX_BENCH_EVENTS=1000000` for the whole of what is promised. */
const EVENTS = Number(process.env.SIGNALBOX_BENCH_EVENTS) || 100_000
/** of the other pasts: by then the engine is warm */
const FEWER = Math.ceil(EVENTS / 4)
const BOUND_S = 60
const BOUND_MB = 64
const PAGE = 2000

interface Past {
  readonly name: string
  readonly home: string
  readonly root: string
  readonly source: ReplaySource
  readonly events: number
  /** what nobody can do without */
  readonly floor: () => void
}

const IN_FORCE: ReplayVariant = { kind: 'in force' }
const BLOCKING: ReplayVariant = { kind: 'mode', gate: 'tests-before-commit', mode: 'block' }

/** A policy over the past, with all built-in gates: as it is, against itself with a gate in another mode, against another file. */
export function benchReplay(project: string): Result {
  const top = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const heaps: number[] = []
    const note = (events: number) => {
      if (events % Math.round(EVENTS / 10) !== 0) return
      globalThis.gc?.()
      const { heapUsed, rss } = process.memoryUsage()
      heaps.push((globalThis.gc ? heapUsed : rss) / 1e6)
    }
    const [first, ...others] = [...Object.keys(AGENTS), 'audit-log'].map((name, nth) => () => {
      const past = write(name, join(top, name), nth === 0 ? EVENTS : FEWER)
      const floor = measured(`${name}: reading and JSON.parse${nth === 0 ? ' (floor)' : ''}`, past.events, past.floor)
      const play = (typed: string, trial: ReplayVariant, progress = (_: number) => {}) =>
        played(project, past, typed, trial, progress)
      return { past, floor, play }
    })
    if (!first) throw new Error('no past')
    const { past, floor, play } = first()
    const inForce = play('replay', IN_FORCE)
    const gate = play('replay --gate', BLOCKING, note)
    const file = play('replay --policy', { kind: 'file', file: join(past.home, 'other.yaml') })
    const rest = others.map(other => {
      const { floor, play } = other()
      return [floor, play('replay --gate', BLOCKING)]
    })
    const growth = Math.max(...heaps.slice(2)) - Math.max(...heaps.slice(0, 2))
    return report(
      `replay: ${EVENTS.toLocaleString('en')} events of ${past.name}, ${FEWER.toLocaleString('en')} of each other, time for an event`,
      [floor, inForce, gate, file, ...rest.flat()],
      [
        ...[[floor, gate], [floor, file], ...rest].map(bounded),
        {
          text: `memory grew by ${growth.toFixed(0)} MB ≤ ${BOUND_MB} MB from the first fifth to the last`,
          ok: growth <= BOUND_MB,
        },
      ],
    )
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

function bounded([floor, line]: readonly (Line | undefined)[]): Result['targets'][number] {
  const { name = '', us = Number.NaN } = line ?? {}
  const ratio = (us / (floor?.us ?? 1)).toFixed(1)
  const each = Math.round(1e6 / us).toLocaleString('en')
  return {
    text: `${name}: a million in ${us.toFixed(1)} s ≤ ${BOUND_S} s, ${each} a second, ${ratio} × its floor`,
    ok: us <= BOUND_S,
  }
}

function write(name: string, home: string, events: number): Past {
  const root = join(home, 'proj')
  mkdirSync(join(root, '.git'), { recursive: true })
  writeFileSync(join(root, 'signalbox.yaml'), POLICY.replace('    initial', '    mode: observe\n    initial'))
  writeFileSync(join(home, 'other.yaml'), POLICY)
  if (name === 'audit-log') {
    const state = join(home, 'state')
    writePast(state, events, 90, [root])
    return { name, home, root, source: 'audit-log', events, floor: () => readTrail(state) }
  }
  const files = writeSessions(name, { home, root, events })
  const floor = () => {
    for (const file of files) for (const line of readFileSync(file, 'utf8').split('\n')) if (line) JSON.parse(line)
  }
  return { name, home, root, source: 'transcripts', events, floor }
}

function readTrail(state: string): void {
  const store = new SqliteStore(state)
  for (let page = store.records({ after: 0, most: PAGE }); page.length > 0; )
    page = store.records({ after: page.at(-1)?.seq ?? 0, most: PAGE })
  store.close()
}

function played(
  project: string,
  past: Past,
  typed: string,
  trial: ReplayVariant,
  progress: (events: number) => void,
): Line {
  const { home, root, source } = past
  const parts = {
    clients: () => clients,
    shell: () => shell,
    regex: () => regex,
    compiler: () => compiler,
    packsDir: join(project, 'packs'),
  }
  const folders = { ...foldersOf({ HOME: home, SIGNALBOX_HOME: home }), userFile: join(home, 'none') }
  const benches = new ReplayPolicyLoader({ parts, folders, env: {}, trial, here: root, only: root })
  let events = 0
  const line = measured(`${past.name}: ${typed}`, past.events, () => {
    const { tally } = replay({ policyLoader: benches, folders, env: {}, regex: regex.regex, source, progress })
    if (tally.events < past.events * 0.9 || (trial !== IN_FORCE && tally.differ === 0))
      throw new Error(`${past.name}: ${tally.events} events, ${tally.differ} differ`)
    events = tally.events
  })
  const us = (line.us * past.events) / events
  return { ...line, us, p95: us, p99: us }
}

/** Of this process alone: on a busy machine the clock on the wall tells more of the others. */
function measured(name: string, events: number, work: () => void): Line {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  const us = (user + system) / events
  return { name, us, p95: us, p99: us }
}
