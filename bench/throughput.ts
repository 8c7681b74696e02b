import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Installed } from './installed.ts'
import { type Line, percentile, type Result, report } from './measure.ts'

const EVENTS = 20_000
const MEGABYTE = 1024 * 1024

/** Decisions a second, each committed, by a client in C: one request a connection, as the hook makes it. */
export async function benchThroughput(project: string): Promise<Result> {
  const there = new Installed(project)
  try {
    const load = await there.tool('load')
    await there.daemon()
    const lines: Line[] = []
    let best = 0
    for (const policy of ['small', 'packs'] as const) {
      ask(there, load, policy, { connections: 8, events: EVENTS / 2 })
      for (const connections of [1, 8, 64]) {
        const { seconds, times } = ask(there, load, policy, { connections, events: EVENTS })
        const rate = EVENTS / seconds
        if (policy === 'small' && connections === 64) best = rate
        const name = `${policy === 'small' ? 'one gate' : 'all packs'}, ${connections} at once: ${rate.toFixed(0)} a second`
        lines.push({ name, us: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99) })
      }
    }
    const { many, whole } = there.onRecord()
    return report('decisions of the daemon, each on record', lines, [
      { text: `one gate, 64 at once: ${best.toFixed(0)} a second ≥ 4000`, ok: best >= 4000 },
      { text: `${many} of ${there.sent} are on record, and the trail is whole`, ok: many === there.sent && whole },
    ])
  } finally {
    there.end()
  }
}

/** What it weighs after so many events, and whether that grows. */
export async function benchMemory(project: string): Promise<Result> {
  const there = new Installed(project)
  const million = Number(process.env.EVENTS ?? 1_000_000)
  try {
    const load = await there.tool('load')
    await there.daemon()
    const { pid } = there.control('status')
    const weights: number[] = []
    for (let part = 0; part < 10; part++) {
      ask(there, load, 'packs', { connections: 64, events: million / 10 })
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      weights.push((Number(kilobytes) * 1024) / MEGABYTE)
      console.error(`  ${there.sent} events: ${weights.at(-1)?.toFixed(0)} MB`)
    }
    const [first = 0] = weights
    const last = weights.at(-1) ?? 0
    const { many, whole } = there.onRecord()
    const flat = last <= first * 1.1
    return report(
      `the daemon after ${there.sent} events: ${last.toFixed(0)} MB, after a tenth of them ${first.toFixed(0)} MB`,
      [],
      [
        { text: `${last.toFixed(0)} MB ≤ 90 MB`, ok: last <= 90 },
        { text: `flat: ${(last / first).toFixed(2)} × what it was ≤ 1.1 ×`, ok: flat },
        { text: `${many} of ${there.sent} are on record, and the trail is whole`, ok: many === there.sent && whole },
      ],
    )
  } finally {
    there.end()
  }
}

function ask(
  there: Installed,
  load: string,
  policy: 'small' | 'packs',
  { connections, events }: { readonly connections: number; readonly events: number },
): { readonly seconds: number; readonly times: readonly number[] } {
  const args = [
    join(there.runFolder, 'socket'),
    there.frame(policy, 'git status --short'),
    connections,
    events,
    there.sent,
  ]
  const ran = spawnSync(load, args.map(String), { encoding: 'utf8', maxBuffer: 1 << 30 })
  if (ran.status !== 0) throw new Error(`load: ${ran.stderr}`)
  there.sent += events
  const [seconds = '', ...answers] = ran.stdout.trim().split('\n')
  const refused = answers.filter(one => !one.endsWith(' 0'))
  if (refused.length > 0) throw new Error(`${refused.length} were not answered`)
  return { seconds: Number(seconds), times: answers.map(one => Number.parseFloat(one)).sort((a, b) => a - b) }
}
