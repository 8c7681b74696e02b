import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STATS_GROUPINGS } from '../src/audit/stats/index.ts'
import { type AuditRecord, SqliteStore } from '../src/store/index.ts'
import { past } from '../test/support/store/past-records.ts'
import { interleaved, line, type Result, report } from './measure.ts'

const RECORDS = Number(process.env.SIGNALBOX_BENCH_RECORDS) || 1_000_000
const DAYS = 90
const AT_ONCE = 2000
const BOUND_MS = 300
const BOUND_BYTES = 1 << 30
/** In turns: a noisy moment hits all of them alike. */
const ROUNDS = 12
const PROJECTS = ['app', 'site', 'tools', 'notes']
const POLICY = `gates:
  tests-before-commit:
    rules: [{ id: untested, when: { event: tool.before, command: git commit }, then: deny, message: Test first. }]
`

/** Statistics over a million records, by the command itself; and what counting them for the first time takes. */
export function benchStats(project: string): Result {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const state = join(home, 'state')
    const roots = PROJECTS.map(name => join(home, name))
    for (const root of roots) mkdirSync(join(root, '.git'), { recursive: true })
    const [here = home] = roots
    writeFileSync(join(here, 'signalbox.yaml'), POLICY)
    const written = timed(() => writePast(state, RECORDS, DAYS, roots))
    const bytes = sizeOf(join(state, 'signalbox.db'))
    const bin = join(project, 'bin/signalbox.cjs')
    const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home }
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, [bin, ...args], { cwd: here, env, encoding: 'utf8', maxBuffer: 1 << 28 })
    const whole = ['stats', '--since', '400d']
    const first = timed(() => void run(...whole, '--everywhere'))
    const { totals } = JSON.parse(run(...whole, '--everywhere', '--json'))
    if (totals.invocations !== RECORDS) throw new Error(`${totals.invocations} of ${RECORDS} were counted`)
    const views = [
      ...[[], ['--everywhere']].flatMap(where => [
        ...STATS_GROUPINGS.map(by => ['--by', by, ...where]),
        ...(['gate', 'session'] as const).map(by => ['--by', by, '--json', ...where]),
      ]),
      ['--client', 'codex-cli'],
      ['--session', sessionIn(run(...whole, '--by', 'session', '--json'))],
    ].map(view => [...whole, ...view])
    const parts = [
      ['stats'],
      ['stats', '--since', '45d', '--until', '2d', '--by', 'session'],
      ['stats', '--prometheus'],
    ]
    const runs = [['version'], ...views, ...parts]
    const samples = interleaved(
      runs.map(args => () => void run(...args)),
      { rounds: ROUNDS, batch: 1 },
    )
    const lines = runs.map((args, nth) => line(nth === 0 ? 'signalbox version' : nameOf(args), samples[nth] ?? []))
    const ms = Math.max(...lines.slice(1).map(one => one.us)) / 1000
    const each = (n: number) => `${(n / RECORDS).toFixed(0)} bytes a record`
    return report(
      `stats: ${RECORDS.toLocaleString('en')} records, written in ${written.toFixed(0)} s, first counted in ${first.toFixed(1)} s`,
      lines,
      [
        {
          text: `the slowest of them: median ${ms.toFixed(0)} ms ≤ ${BOUND_MS} ms, ${((ms * 1000) / (lines[0]?.us ?? 1)).toFixed(2)} × the start of a command`,
          ok: ms <= BOUND_MS,
        },
        {
          text: `the trail takes ${(bytes / 1e6).toFixed(0)} MB (${each(bytes)}) ≤ 1 GB for a million, the statistics ${(sizeOf(join(state, 'stats.db')) / 1e6).toFixed(1)} MB`,
          ok: (bytes * 1e6) / RECORDS <= BOUND_BYTES,
        },
      ],
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** So many records of so many days up to now, as agents may have made them. */
export function writePast(state: string, many: number, days: number, roots: readonly string[]): void {
  const store = new SqliteStore(state, { stays: true, limits: { days: 10_000, bytes: Number.MAX_SAFE_INTEGER } })
  let page: AuditRecord[] = []
  const keep = () => {
    const records = page
    const now = records.at(-1)?.at ?? 0
    store.transact({ client: 'bench', session: '' }, { root: '', now, expiryHours: 1 }, () => ({ records, result: 0 }))
    page = []
  }
  for (const record of past({ records: many, from: Date.now() - days * 86_400_000, days, roots })) {
    page.push(record)
    if (page.length === AT_ONCE) keep()
  }
  if (page.length > 0) keep()
  store.close()
}

/** Short enough for its column. */
const nameOf = (args: readonly string[]): string => args.join(' ').replace('--since 400d ', '').slice(0, 43)
const sessionIn = (json: string): string => JSON.parse(json).groups[0].group.split(' ')[1]

const sizeOf = (file: string): number =>
  ['', '-wal'].reduce((sum, part) => sum + (statSync(file + part, { throwIfNoEntry: false })?.size ?? 0), 0)

/** In seconds. */
export function timed(work: () => void): number {
  const began = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - began) / 1e9
}
