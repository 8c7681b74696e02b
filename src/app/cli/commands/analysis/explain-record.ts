import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { emphasizeDecision, truncateLine } from '../../../../analysis/explain/index.ts'
import {
  passingCodeGates,
  type ReconstructedEvent,
  type RecordHistory,
  reconstructFromRecord,
  SimulatedSessions,
  statesSeenByCaller,
} from '../../../../analysis/simulator/index.ts'
import type { Client } from '../../../../clients/index.ts'
import type { CallStatus, EventRecord, Gate, GateState } from '../../../../engine/index.ts'
import { regex } from '../../../../hook/services/regex.ts'
import { localTime } from '../../../../lib/local-time.ts'
import type { Policy } from '../../../../policy/index.ts'
import { type AuditRecord, redactRoot, SqliteStore } from '../../../../store/index.ts'

/** A record and the records before it. */
export interface RecordWithPast {
  readonly seq: number
  readonly record: AuditRecord
  readonly before: RecordHistory
}

/** The search covers at most this many records, from the end. */
const MAX_RECORDS = 50_000

/** Finds a record by number, or the project's latest, preferring records in which a gate spoke. Returns an error text if there is none. */
export function findRecord(state: string, wanted: number | 'last', root: string): RecordWithPast | string {
  if (!existsSync(join(state, 'signalbox.db'))) return 'nothing is recorded yet'
  const store = new SqliteStore(state)
  try {
    const all = store.records(
      wanted === 'last' ? { last: MAX_RECORDS } : { after: Math.max(wanted - MAX_RECORDS, 0), most: MAX_RECORDS },
    )
    const events = all.filter(({ record }) => record.policy !== '' && isRecordOfProject(root, record))
    const answered = events.filter(({ record }) => record.matches.length > 0)
    const found = wanted === 'last' ? (answered.at(-1) ?? events.at(-1)) : all.find(record => record.seq === wanted)
    if (!found)
      return wanted === 'last'
        ? `nothing ${all.length > 0 ? 'of this project ' : ''}is recorded yet`
        : `there is no record ${wanted}${recordRange(store)}`
    const moves = all.filter(({ seq, record }) => seq < found.seq && record.moves.length > 0)
    const before = { records: moves.map(move => move.record), isWhole: all.length < MAX_RECORDS || all[0]?.seq === 1 }
    return { seq: found.seq, record: found.record, before }
  } finally {
    store.close()
  }
}

/** `: the log has records 1 to 60`. Old records are removed, so the first is not always 1. */
function recordRange(store: SqliteStore): string {
  const [first] = store.records({ after: 0, most: 1 })
  const [last] = store.records({ last: 1 })
  return first && last ? `: the log has records ${first.seq} to ${last.seq}` : ': the log is empty'
}

/** A record without a root belongs to no other project, so it counts for this one. */
export const isRecordOfProject = (root: string, record: AuditRecord): boolean =>
  record.root === undefined || record.root === redactRoot(root)

/** Rebuilds the event. Tries the possible ends of a call and picks the end that reproduces the recorded result. */
export function reconstructEvent(
  { record, before }: RecordWithPast,
  program: Policy,
  client: Client,
): Pick<ReconstructedEvent, 'given' | 'notes'> & { events: readonly ReconstructedEvent['event'][] } {
  const tries = record.event === 'tool.after' ? possibleEndsOf(record) : [undefined]
  const all = tries.map(status => reconstructFromRecord(record, before, program, status))
  const again = (event: ReconstructedEvent): EventRecord => {
    const given = statesSeenByCaller(event.event, event.given, program)
    const tools = { regex, codeGates: passingCodeGates(program) }
    const sessions = new SimulatedSessions({ program, client, root: '/', home: '/', tools, given })
    return sessions.simulatorFor(event.event).preview(event.event).record
  }
  const fits = all.find(event => hasSameResult(again(event), record))
  if (!fits && record.policy === program.hash)
    for (const event of all) {
      const other = toggleGateStates(event, again(event), record, program)
      if (other && hasSameDecision(again(other), record)) return toReconstruction(other, record)
    }
  return toReconstruction(fits ?? all[0] ?? reconstructFromRecord(record, before, program), record)
}

/** The recorded end first. Parts of the line that are not recorded may have led to another end. */
const possibleEndsOf = ({ ended }: AuditRecord): readonly CallStatus[] => [
  ...new Set<CallStatus>([...(ended === undefined ? [] : [ended]), 'succeeded', 'unknown']),
]

const toReconstruction = ({ event, given, notes, unknown }: ReconstructedEvent, record: RecordWithPast['record']) => {
  const lost = unknown.filter(({ id }) => [...record.matches, ...record.moves].some(candidate => candidate.gate === id))
  const assumed = lost.map(gate => assumedStateNote(gate, gate.initial ?? 'closed'))
  return { events: [event], given, notes: [...notes, ...assumed, ...approvalNotes(record)] }
}

const hasSameResult = (again: EventRecord, record: EventRecord): boolean =>
  hasSameDecision(again, record) && JSON.stringify(again.moves) === JSON.stringify(record.moves)

const hasSameDecision = (again: EventRecord, { decision, gate, rule }: EventRecord): boolean =>
  again.decision === decision && again.gate === gate && again.rule === rule

/** The record is the truth: if a gate decided differently then, it was in its other state. */
function toggleGateStates(
  event: ReconstructedEvent,
  again: EventRecord,
  record: EventRecord,
  { gates }: Policy,
): ReconstructedEvent | undefined {
  const other = gates.filter(
    gate => gate.initial !== undefined && matchedRulesOf(gate, again) !== matchedRulesOf(gate, record),
  )
  if (other.length === 0) return undefined
  const given: { [gate: string]: GateState } = { ...event.given }
  for (const { id, initial } of other) given[id] = (given[id] ?? initial) === 'open' ? 'closed' : 'open'
  const notes = [...event.notes, ...other.map(gate => assumedStateNote(gate, given[gate.id] ?? 'closed'))]
  return { ...event, given, notes, unknown: event.unknown.filter(gate => !other.includes(gate)) }
}

const matchedRulesOf = ({ id }: Gate, { matches }: EventRecord): string =>
  JSON.stringify(matches.filter(match => match.gate === id).map(match => match.rule))

const assumedStateNote = ({ name }: Gate, state: GateState): string =>
  `the state of ${name} was not recorded: ${state} is inferred from the decision`

/** An approval ends with its task, and a variable's value is not recorded: the explanation shows the answer without them. */
function approvalNotes({ approvedBy = [], notes, matches }: RecordWithPast['record']): readonly string[] {
  const variables = approvedBy.filter(name => name.startsWith('env ')).map(name => name.slice('env '.length))
  const hadTask = approvedBy.includes('token') || notes.some(note => note.startsWith('approved: '))
  const bypassed = [
    ...new Set(matches.filter(match => match.bypassed).map(match => match.gate.replace(/^[^/]+\//, ''))),
  ]
  return [
    ...(hadTask ? ['an orchestrated task had an approval; this is the decision without it'] : []),
    ...(variables.length > 0 ? [`approved by ${variables.join(', ')}; this is the decision without it`] : []),
    ...(bypassed.length > 0 ? [`${bypassed.join(', ')} was bypassed at that time`] : []),
  ]
}

/** Shows all parts of a line, as `log` does: the denied part is not always the first. */
const MAX_HEAD_LENGTH = 120

/** `DENY  git push origin main  #7 2026-11-15 14:06:11 claude-code 4 ms` */
export function recordHeadline({ seq, record }: RecordWithPast): string {
  const acts = record.line ?? record.acts.map(text => text.replace(/^run /, '')).join('; ')
  const what = acts === '' ? record.name : truncateLine(acts, MAX_HEAD_LENGTH)
  const time = localTime(record.at)
  const took = record.ms === undefined ? '' : ` ${Math.round(record.ms)} ms`
  const by = record.gate ? `  by ${record.gate}, ${record.rule}` : ''
  const warns = record.decision === 'pass' && record.matches.some(match => match.effect === 'warn')
  return `${warns ? 'warn' : emphasizeDecision(record.decision)}  ${what}  #${seq} ${time} ${record.client} ${record.caller}${took}${by}`
}
