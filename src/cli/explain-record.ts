import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../clients/index.ts'
import { evaluate, type Gate, type Record, type Status } from '../core/index.ts'
import { cut, loud } from '../explain/index.ts'
import { type GateState, wallOf } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { regex } from '../runtime/regex.ts'
import { type AuditRecord, rootOnRecord, SqliteStore } from '../store/index.ts'
import { givenTo, type Past, type Recollection, recollect, Stage } from '../trial/index.ts'

/** A record, and what was recorded before it. */
export interface Found {
  readonly seq: number
  readonly record: AuditRecord
  readonly before: Past
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
    const spoken = events.filter(({ record }) => record.matches.length > 0)
    const found = wanted === 'last' ? (spoken.at(-1) ?? events.at(-1)) : all.find(one => one.seq === wanted)
    if (!found)
      return wanted === 'last'
        ? `nothing ${all.length > 0 ? 'of this project ' : ''}is on record yet`
        : `there is no record ${wanted} among the latest ${all.length}`
    const moves = all.filter(({ seq, record }) => seq < found.seq && record.moves.length > 0)
    const before = { records: moves.map(one => one.record), isWhole: all.length < MOST_RECORDS || all[0]?.seq === 1 }
    return { seq: found.seq, record: found.record, before }
  } finally {
    store.close()
  }
}

/** One that does not say whose it is is of no other project either. */
export const isOf = (root: string, record: AuditRecord): boolean =>
  record.root === undefined || record.root === rootOnRecord(root)

/** What the record tells of the event. Where it does not tell how the call ended, that is taken for what gives what was recorded. */
export function recalled(
  { record, before }: Found,
  program: Policy,
  client: Client,
): Pick<Recollection, 'given' | 'notes'> & { events: readonly Recollection['event'][] } {
  const tries = record.event === 'tool.after' ? endsOf(record) : [undefined]
  const all = tries.map(status => recollect(record, before, program, status))
  const again = (one: Recollection): Record => {
    const given = givenTo(one.event, one.given, program)
    const stage = new Stage({ program, client, root: '/', home: '/', regex, codeGates: {}, given })
    return evaluate(stage.inputFor(one.event, {}), { regex }).record
  }
  const fits = all.find(one => isSame(again(one), record))
  if (!fits && record.policy === program.hash)
    for (const one of all) {
      const other = turned(one, again(one), record, program)
      if (other && hasSaid(again(other), record)) return told(other, record)
    }
  return told(fits ?? all[0] ?? recollect(record, before, program), record)
}

/** As it is on record first; a part of the line that is not on record may have made it otherwise. */
const endsOf = ({ ended }: AuditRecord): readonly Status[] => [
  ...new Set<Status>([...(ended === undefined ? [] : [ended]), 'succeeded', 'unknown']),
]

const told = ({ event, given, notes, unknown }: Recollection, record: Found['record']) => {
  const lost = unknown.filter(({ id }) => [...record.matches, ...record.moves].some(one => one.gate === id))
  const untold = lost.map(one => untoldNote(one, one.initial ?? 'closed'))
  return { events: [event], given, notes: [...notes, ...untold, ...approvalIn(record)] }
}

const isSame = (again: Record, record: Record): boolean =>
  hasSaid(again, record) && JSON.stringify(again.moves) === JSON.stringify(record.moves)

const hasSaid = (again: Record, { decision, gate, rule }: Record): boolean =>
  again.decision === decision && again.gate === gate && again.rule === rule

/** What was recorded is true: where a gate spoke otherwise than now, it was in its other state. */
function turned(one: Recollection, again: Record, record: Record, { gates }: Policy): Recollection | undefined {
  const other = gates.filter(gate => gate.initial !== undefined && rulesOf(gate, again) !== rulesOf(gate, record))
  if (other.length === 0) return undefined
  const given: { [gate: string]: GateState } = { ...one.given }
  for (const { id, initial } of other) given[id] = (given[id] ?? initial) === 'open' ? 'closed' : 'open'
  const notes = [...one.notes, ...other.map(gate => untoldNote(gate, given[gate.id] ?? 'closed'))]
  return { ...one, given, notes, unknown: one.unknown.filter(gate => !other.includes(gate)) }
}

const rulesOf = ({ id }: Gate, { matches }: Record): string =>
  JSON.stringify(matches.filter(one => one.gate === id).map(one => one.rule))

const untoldNote = ({ name }: Gate, state: GateState): string =>
  `the state that ${name} was in is not on record: it is taken for ${state}, as what was decided tells`

/** It ended with its task: what is explained is how the same call is answered without. */
const approvalIn = ({ notes }: Found['record']): readonly string[] =>
  notes.some(note => note.startsWith('approved: '))
    ? ['an orchestrated task was approved for it; this is the answer without']
    : []

/** All parts of a line, as `log` tells them: the refused one need not be the first. */
const MOST_LETTERS = 120

/** `DENY  git push origin main  #7 2026-11-15 14:06:11 claude-code 4 ms` */
export function headOfRecord({ seq, record }: Found): string {
  const acts = record.line ?? record.acts.map(one => one.replace(/^run /, '')).join('; ')
  const what = acts === '' ? record.name : cut(acts, MOST_LETTERS)
  const time = wallOf(record.at)
  const took = record.ms === undefined ? '' : ` ${Math.round(record.ms)} ms`
  const by = record.gate ? `  by ${record.gate}, ${record.rule}` : ''
  const warns = record.decision === 'pass' && record.matches.some(one => one.effect === 'warn')
  return `${warns ? 'warn' : loud(record.decision)}  ${what}  #${seq} ${time} ${record.client} ${record.caller}${took}${by}`
}
