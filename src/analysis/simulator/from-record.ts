import { clientById } from '../../clients/index.ts'
import type { Action, Caller, CallStatus, Event, EventRecord, Gate } from '../../engine/index.ts'
import { ACTION_KINDS, type GateState, type Word } from '../../engine/index.ts'
import { analyseShellLine } from '../../engine/shell/index.ts'
import type { Policy } from '../../policy/index.ts'
import { isSameGateState, type StateOwner } from './state-owner.ts'

/** An event rebuilt from its record, with notes on data that the record lacks. */
export interface ReconstructedEvent {
  readonly event: Event
  /** the gates' states as the caller saw them, by gate id */
  readonly given: Readonly<{ [gate: string]: GateState }>
  readonly notes: readonly string[]
  /** gates whose last transition is not in the history, though one may have happened */
  readonly unknown: readonly Gate[]
}

/** A record with its optional fields: agent id, project, shell line, background flag and exit status. */
type LocatedRecord = EventRecord &
  StateOwner & { readonly line?: string; readonly background?: true; readonly ended?: CallStatus }

/** Records from before the event. */
export interface RecordHistory {
  /** oldest first; may omit records without moves, and may contain records of other sessions */
  readonly records: readonly LocatedRecord[]
  /** no earlier move is missing */
  readonly isWhole: boolean
}

export function reconstructFromRecord(
  record: LocatedRecord,
  past: RecordHistory,
  program: Policy,
  status?: CallStatus,
): ReconstructedEvent {
  const event = toEvent(record, status)
  const given: { [gate: string]: GateState } = {}
  const gates = program.gates.filter(gate => gate.initial !== undefined)
  for (const gate of gates) {
    const state = gateStateBefore(gate, record, past.records)
    if (state !== undefined) given[gate.id] = state
  }
  const unknown = past.isWhole ? [] : gates.filter(({ id }) => given[id] === undefined)
  return { event, given, notes: findRecordGaps(record, policyDataNeedsOf(program)), unknown }
}

function gateStateBefore(gate: Gate, record: LocatedRecord, records: readonly LocatedRecord[]): GateState | undefined {
  const moved = ({ moves }: LocatedRecord) => moves.findLast(move => move.gate === gate.id)
  const last = records.findLast(
    locatedRecord => moved(locatedRecord) !== undefined && isSameGateState(gate, record, locatedRecord),
  )
  return last && moved(last)?.to
}

/** The event alone, for replaying whole sessions. */
export const eventFromRecord = (record: LocatedRecord): Event =>
  toEvent(record, record.moves.length > 0 ? movingStatus(record) : recordedStatus(record))

/**
 * The status of a call that moved a gate. Old records keep none: it counts as succeeded. So does one of unknown status that opened a
 * gate: `signalbox run` attested it.
 */
function movingStatus(record: LocatedRecord): CallStatus {
  return record.ended === undefined || isAttested(record) ? 'succeeded' : record.ended
}

const isAttested = ({ ended, moves }: LocatedRecord): boolean =>
  ended === 'unknown' && moves.some(move => move.to === 'open')

/** The recorded status; undefined for several actions whose positions in the line are unknown, since it proves nothing then. */
const recordedStatus = (record: LocatedRecord): CallStatus | undefined =>
  record.ended !== undefined && (record.acts.length < 2 || actionsWithPositions(record)) ? record.ended : undefined

function toEvent(record: LocatedRecord, status: CallStatus | undefined): Event {
  const placed = actionsWithPositions(record)
  const actions =
    placed?.acts ??
    (isUnrecordedLine(record) ? record.acts.map(parseAction).map(withoutExitStatus) : record.acts.map(parseAction))
  const input = { ...placed?.input, ...(record.background && { run_in_background: true }) }
  return {
    kind: record.event,
    client: record.client,
    name: record.name,
    session: record.session,
    caller: toCaller(record),
    ...(record.tool !== undefined && {
      call: { tool: record.tool, input, acts: actions, ...callStatusIn(record, status) },
    }),
    ...(record.event === 'prompt.submit' && { prompt: { text: '', source: record.source ?? 'user' } }),
    ...(record.captured !== undefined && { answer: record.captured }),
    ...((record.event === 'agent.stop' || record.event === 'agent.start') && { agent: record.caller }),
  }
}

/** The actions with their exit-status positions, parsed from the line; undefined if the line is missing or does not fit the actions. */
function actionsWithPositions(record: LocatedRecord) {
  const { acts, line, background } = record
  if (line === undefined) return undefined
  const { acts: read, attested = [] } = analyseShellLine(line, { background: background === true })
  if (read.length !== acts.length) return undefined
  const placed = acts.map(parseAction).map((action, nth): Action => {
    const { implied, decides, folder, via = '' } = read[nth] ?? {}
    if (action.action !== 'run') return { ...action, via }
    const { implied: _, decides: __, ...rest } = action
    // The record does not keep the folder's real path, so a success in another folder proves nothing.
    return { ...rest, via, ...(implied && folder === undefined && { implied }), ...(decides && { decides }) }
  })
  const isSame = placed.every((action, nth) => action.action === read[nth]?.action)
  // the only command of `signalbox run` in the line is the one that was attested, also in a pipe
  const [run, ...otherRuns] = isAttested(record) ? attested : []
  if (run && otherRuns.length === 0)
    run.acts.forEach(({ implied, decides }, nth) => {
      const action = placed[run.at + nth]
      if (action)
        placed[run.at + nth] = {
          ...action,
          ...(implied && { implied }),
          ...(decides && { decides }),
          ended: 'succeeded',
        }
    })
  return isSame ? { acts: placed, input: line.includes(REDACTION_MARK) ? {} : { command: line } } : undefined
}

/** Several commands with an exit status, but no line that shows how they were joined. */
const isUnrecordedLine = ({ acts, ended, moves }: LocatedRecord): boolean =>
  ended !== undefined && moves.length === 0 && acts.filter(text => text.startsWith('run ')).length > 1

const withoutExitStatus = ({ implied: _, decides: __, ...act }: Action): Action => act

/**
 * A subagent's record has its id. A type without id is the main agent: `build` on opencode, `claude --agent reviewer`; in old records
 * also a subagent of a client whose callers are inferred.
 */
function toCaller({ caller: label, agent, client }: LocatedRecord): Caller {
  if (agent !== undefined) return { kind: 'agent', id: agent, ...(label !== agent && { type: label }) }
  if (label === 'main' || label === 'unknown') return { kind: label }
  const isInferred = clientById(client)?.capabilities.callers === 'inferred'
  return isInferred ? { kind: 'agent', id: label, type: label } : { kind: 'main', type: label }
}

/** Old records lack the status of a call: `status` is what to assume. */
function callStatusIn({ event }: EventRecord, status: CallStatus | undefined): { readonly status?: CallStatus } {
  if (event === 'tool.failed') return { status: 'failed' }
  return event === 'tool.after' ? { status: status ?? 'unknown' } : {}
}

const TRUNCATION_MARK = /… \(\d+ characters, sha256 [0-9a-f]+\)$/
const REDACTION_MARK = '[redacted]'
const UNKNOWN_WORD: Word = { text: null, role: 'plain', free: true }

const MAX_CACHED_ACTIONS = 500
const actionCache = new Map<string, Action>()

/** Parses a recorded action. Cached, because `tool.before` and `tool.after` of a call record the same actions. */
function parseAction(text: string): Action {
  const known = actionCache.get(text)
  if (known) return known
  if (actionCache.size >= MAX_CACHED_ACTIONS) actionCache.clear()
  const action = parseActionText(text)
  actionCache.set(text, action)
  return action
}

/** Redacted or truncated values become unknown. */
function parseActionText(text: string): Action {
  const isCut = TRUNCATION_MARK.test(text)
  const whole = text.replace(TRUNCATION_MARK, '')
  const [, word = '', object = ''] = /^(\S+) ?([\s\S]*)$/.exec(whole) ?? []
  const action = ACTION_KINDS.find(kind => kind === word)
  if (!action || (word === 'run' && object === '')) return { action: 'other', opaque: true, via: object }
  if (action === 'run') return parseRunAction(object, isCut)
  const value = object === '…' || isCut || object.includes(REDACTION_MARK) ? null : object
  if (action === 'fetch') return { action, url: value }
  if (action === 'spawn') return value ? { action, agent: value } : { action }
  return object === '' ? { action } : { action, place: { lexical: value } }
}

function parseRunAction(line: string, isCut: boolean): Action {
  const read = analyseShellLine(line, { background: false }).acts.find(
    action => action.action === 'run' && action.words,
  )
  if (!read?.words) return { action: 'other', opaque: true, via: line }
  const words = read.words.map(word =>
    word.text === null || word.text === '…' || word.text.includes(REDACTION_MARK) ? { ...word, text: null } : word,
  )
  return { ...read, words: isCut ? [...words, UNKNOWN_WORD] : words, via: line }
}

/** Placeholder for omitted actions. Older records have no placeholder: they just stop at `MAX_RECORDED_ACTIONS`. */
const OMITTED_ACTIONS = /^… and \d+ more \(sha256 [0-9a-f]+\)$/
const MAX_RECORDED_ACTIONS = 20

/** Data that a policy's conditions need and the audit log may not keep. */
export interface PolicyDataNeeds {
  readonly input: boolean
  readonly since: boolean
  readonly env: boolean
}

/** Ignores built-in gates: they use every kind of condition, and the notes would appear for every policy. */
export function policyDataNeedsOf({ gates }: Policy): PolicyDataNeeds {
  const text = JSON.stringify(gates.filter(gate => gate.layer !== 'built-in'))
  const asks = (key: string): boolean => text.includes(`"key":"${key}"`)
  return { input: asks('input'), since: asks('since'), env: asks('env') }
}

/** Notes on data that this policy needs and the record does not have. */
export function findRecordGaps({ acts, event, tool, ended }: LocatedRecord, needs: PolicyDataNeeds): readonly string[] {
  const isCall = tool !== undefined
  return [
    ...(acts.some(text => text.includes(REDACTION_MARK))
      ? ['secrets were redacted when it was recorded, so their values are unknown']
      : []),
    ...(acts.some(text => TRUNCATION_MARK.test(text))
      ? ['it was truncated when it was recorded, so the rest is unknown']
      : []),
    ...(acts.length === MAX_RECORDED_ACTIONS || acts.some(text => OMITTED_ACTIONS.test(text))
      ? [`only the first ${MAX_RECORDED_ACTIONS} actions of a call are recorded`]
      : []),
    ...(isCall && needs.input ? ['the input of a call is not recorded: conditions on `input` find nothing'] : []),
    ...(event === 'prompt.submit' ? ['the text of a prompt is not recorded'] : []),
    ...(needs.since ? ['counters are not recorded: `since` counts from this event'] : []),
    ...(needs.env ? ['the environment is not recorded: variables count as not set'] : []),
    ...(event === 'tool.after' && ended === undefined ? ['how a call ended is not recorded'] : []),
  ]
}
