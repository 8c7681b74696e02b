import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../clients/index.ts'
import { evaluate, type Record } from '../core/index.ts'
import { cut, loud } from '../explain/index.ts'
import { wallOf } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { regex } from '../runtime/regex.ts'
import { type AuditRecord, rootOnRecord, SqliteStore } from '../store/index.ts'
import { type Recollection, recollect, Stage } from '../trial/index.ts'

/** A record, and those of the same session before it. */
export interface Found {
  readonly seq: number
  readonly record: AuditRecord
  readonly before: readonly Record[]
}

/** Looked through from the end. */
const MOST_RECORDS = 50_000

/** By its number; or the latest of this project that a gate spoke of, else the latest of an agent there. A problem in one line where there is none. */
export function findRecord(state: string, wanted: number | 'last', root: string): Found | string {
  if (!existsSync(join(state, 'signalbox.db'))) return 'nothing is on record yet'
  const store = new SqliteStore(state)
  try {
    const all = store.records(
      wanted === 'last' ? { last: MOST_RECORDS } : { after: Math.max(wanted - MOST_RECORDS, 0), most: MOST_RECORDS },
    )
    const events = all.filter(({ record }) => record.policy !== '' && isOf(root, record))
    const spoken = events.filter(({ record }) => record.matches.some(one => one.effect !== 'none'))
    const found = wanted === 'last' ? (spoken.at(-1) ?? events.at(-1)) : all.find(one => one.seq === wanted)
    if (!found)
      return wanted === 'last'
        ? `nothing ${all.length > 0 ? 'of this project ' : ''}is on record yet`
        : `there is no record ${wanted} among the latest ${all.length}`
    const { client, session } = found.record
    const before = all.filter(
      ({ seq, record }) => seq < found.seq && record.client === client && record.session === session,
    )
    return { seq: found.seq, record: found.record, before: before.map(one => one.record) }
  } finally {
    store.close()
  }
}

/** One that does not say whose it is is of no other project either. */
export const isOf = (root: string, record: AuditRecord): boolean =>
  record.root === undefined || record.root === rootOnRecord(root)

/** What the record tells of the event. How a call ended is not kept: it is taken for what gives what was recorded. */
export function recalled(
  { record, before }: Found,
  program: Policy,
  client: Client,
): Omit<Recollection, 'event'> & { events: readonly Recollection['event'][] } {
  const tries = record.event === 'tool.after' ? (['succeeded', 'unknown'] as const) : [undefined]
  const all = tries.map(status => recollect(record, before, program, status))
  const fits = all.find(({ event, given }) => {
    const stage = new Stage({ program, client, root: '/', home: '/', regex, codeGates: {}, given })
    const again = evaluate(stage.inputFor(event, {}), { regex }).record
    return again.decision === record.decision && JSON.stringify(again.moves) === JSON.stringify(record.moves)
  })
  const { event, given, notes } = fits ?? all[0] ?? recollect(record, before, program)
  return { events: [event], given, notes }
}

/** All parts of a line, as `log` tells them: the refused one need not be the first. */
const MOST_LETTERS = 120

/** `DENY  git push origin main  #7 2026-11-15 14:06:11 claude-code 4 ms` */
export function headOfRecord({ seq, record }: Found): string {
  const acts = record.acts.map(one => one.replace(/^run /, '')).join('; ')
  const what = acts === '' ? record.name : cut(acts, MOST_LETTERS)
  const time = wallOf(record.at)
  const took = record.ms === undefined ? '' : ` ${Math.round(record.ms)} ms`
  const by = record.gate ? `  by ${record.gate}, ${record.rule}` : ''
  const warns = record.decision === 'pass' && record.matches.some(one => one.effect === 'warn')
  return `${warns ? 'warn' : loud(record.decision)}  ${what}  #${seq} ${time} ${record.client} ${record.caller}${took}${by}`
}
