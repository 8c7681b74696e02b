import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SqliteStore } from '../src/store/index.ts'
import { call, type Ground, POLICY, prepare } from './bench-project.ts'
import { Installed } from './installed.ts'
import { interleaved, line, type Result, report } from './measure.ts'

const ROUNDS = 6000
const CALLS = { warm: 30, measured: 120 }
const RECORDS = 100_000
const MS_A_CALL = 15_000
const BOUND = { percent: 10, bytes: 1_000_000_000 }

/** What the record costs the hook, and what a million of them take on the disk. */
export async function benchAudit(project: string): Promise<Result> {
  const ground = prepare(POLICY)
  const edit = call('Edit', { file_path: `${ground.folder}/src/a.ts`, old_string: 'a', new_string: 'b' })
  const commit = call('Bash', { command: 'git commit -am "fix sum"', description: 'commit' })
  const kept = stepper(ground, 'kept', true)
  const unkept = stepper(ground, 'unkept', false)
  const works = [() => unkept.step(edit), () => kept.step(edit), () => unkept.step(commit), () => kept.step(commit)]
  const [without = [], edited = [], refusedWithout = [], refused = []] = interleaved(works, {
    rounds: ROUNDS,
    batch: 1,
  })
  kept.end()
  unkept.end()
  const bytes = sizeOf(ground, [edit, commit, call('Read', { file_path: `${ground.folder}/README.md` })])
  ground.end()
  const hook = line('the hook, through the daemon, as an agent calls it', await hookCalls(project))
  const lines = [
    line('an edit, its record not written (floor)', without),
    line('an edit, its record written', edited),
    line('a refusal, its record not written', refusedWithout),
    line('a refusal, its record written', refused),
    hook,
  ]
  const [a, b, c, d] = lines.map(one => one.us)
  const extra = Math.max((b ?? 0) - (a ?? 0), (d ?? 0) - (c ?? 0))
  const percent = (100 * extra) / (hook.us - extra)
  const million = bytes * 1_000_000
  return report('audit: the record', lines, [
    {
      text: `writing it: ${extra.toFixed(1)} µs, ${percent.toFixed(1)} % of the hook without it ≤ ${BOUND.percent} %`,
      ok: percent <= BOUND.percent,
    },
    {
      text: `a million: ${(million / 1e6).toFixed(0)} MB (${bytes.toFixed(0)} bytes each, from ${RECORDS.toLocaleString('en')}) < ${BOUND.bytes / 1e6} MB`,
      ok: million < BOUND.bytes,
    },
  ])
}

/** The transaction of an event in a process that stays, with its record or without. */
function stepper(ground: Ground, name: string, isKept: boolean) {
  const folder = join(ground.folder, name)
  const store = new SqliteStore(folder, { stays: true, limits: { days: 10_000, bytes: 1e12 } })
  const key = { client: 'claude-code', session: 'bench' }
  const began = Date.now()
  let nth = 0
  const step = (payload: string): void => {
    const now = began + nth * MS_A_CALL
    const identity = `event ${nth++}`
    store.transact(key, { root: ground.folder, now, expiryHours: 12 }, ({ session }) => {
      const { outcome, record, session: after } = ground.evaluate(payload, session, now)
      const reply = { exitCode: 0, stdout: outcome.reason, stderr: '' }
      // the first is kept in both: a trail that is empty is looked for elsewhere, which takes time of its own
      const records = isKept || nth === 1 ? [{ ...record, root: ground.folder, ms: 1.52 }] : []
      return { session: after, records, answer: { identity, reply }, result: 0 }
    })
  }
  return { step, folder, end: () => store.close() }
}

/** Of one record, with all that lies around it. */
function sizeOf(ground: Ground, payloads: readonly string[]): number {
  const { step, folder, end } = stepper(ground, 'many', true)
  for (let nth = 0; nth < RECORDS; nth++) step(payloads[nth % payloads.length] ?? '')
  end()
  return statSync(join(folder, 'signalbox.db')).size / RECORDS
}

async function hookCalls(project: string): Promise<readonly number[]> {
  const there = new Installed(project)
  try {
    await there.daemon()
    const all: number[] = []
    for (let nth = 0; nth < CALLS.warm + CALLS.measured; nth++)
      all.push((await there.run(there.hook, there.hookArgs, there.payload('small', 'git commit -m x'))).us)
    return all.slice(CALLS.warm).sort((a, b) => a - b)
  } finally {
    there.end()
  }
}
