import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditRecord, SqliteStore } from '../src/store/index.ts'
import { past } from '../test/stats/past.ts'
import { type Line, type Result, report } from './measure.ts'

const RECORDS = Number(process.env.SIGNALBOX_BENCH_RECORDS) || 1_000_000
const DAYS = 90
const AT_ONCE = 2000
const BOUND_MS = 300
const BOUND_BYTES = 1 << 30
const TIMES = 15

/** Statistics over a million records, by the command itself; and what counting them for the first time takes. */
export function benchStats(project: string): Result {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const state = join(home, 'state')
    const written = timed(() => writePast(state, RECORDS, DAYS))
    const bytes = sizeOf(join(state, 'signalbox.db'))
    const bin = join(project, 'bin/signalbox.cjs')
    const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home }
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, [bin, ...args], { cwd: home, env, encoding: 'utf8', maxBuffer: 1 << 28 })
    const first = timed(() => void run('stats', '--since', '400d'))
    const { totals } = JSON.parse(run('stats', '--since', '400d', '--json'))
    if (totals.invocations !== RECORDS) throw new Error(`${totals.invocations} of ${RECORDS} were counted`)
    const lines = [
      line('signalbox version (floor)', () => run('version')),
      line('signalbox stats, all of it', () => run('stats', '--since', '400d')),
      line('signalbox stats --by session', () => run('stats', '--since', '400d', '--by', 'session')),
      line('signalbox stats, 7 days', () => run('stats', '--since', `${DAYS - 80}d`)),
      line('signalbox stats --prometheus', () => run('stats', '--prometheus')),
    ]
    const ms = Math.max(...lines.slice(1).map(one => one.us)) / 1000
    const each = (n: number) => `${(n / RECORDS).toFixed(0)} bytes a record`
    return report(
      `stats: ${RECORDS.toLocaleString('en')} records, written in ${written.toFixed(0)} s, first counted in ${first.toFixed(1)} s`,
      lines,
      [
        { text: `the slowest of them: median ${ms.toFixed(0)} ms ≤ ${BOUND_MS} ms`, ok: ms <= BOUND_MS },
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
export function writePast(state: string, many: number, days: number): void {
  const store = new SqliteStore(state, { stays: true, limits: { days: 10_000, bytes: Number.MAX_SAFE_INTEGER } })
  let page: AuditRecord[] = []
  const keep = () => {
    const records = page
    const now = records.at(-1)?.at ?? 0
    store.transact({ client: 'bench', session: '' }, { root: '', now, expiryHours: 1 }, () => ({ records, result: 0 }))
    page = []
  }
  for (const record of past({ records: many, from: Date.now() - days * 86_400_000, days })) {
    page.push(record)
    if (page.length === AT_ONCE) keep()
  }
  if (page.length > 0) keep()
  store.close()
}

const sizeOf = (file: string): number =>
  ['', '-wal'].reduce((sum, part) => sum + (statSync(file + part, { throwIfNoEntry: false })?.size ?? 0), 0)

/** In seconds. */
export function timed(work: () => void): number {
  const began = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - began) / 1e9
}

function line(name: string, work: () => void): Line {
  const times = Array.from({ length: TIMES }, () => timed(work) * 1e6).sort((a, b) => a - b)
  const at = (percent: number) => times[Math.min(TIMES - 1, Math.floor((TIMES * percent) / 100))] ?? 0
  return { name, us: at(50), p95: at(95), p99: at(99) }
}
