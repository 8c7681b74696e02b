import type { Act, Caller, Event, Gate, Record, Status } from '../core/index.ts'
import { sharesState, type Whose } from '../explain/index.ts'
import { ACTIONS, type GateState, type Word } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { readShell } from '../shell/index.ts'

/** An event as far as its record tells of it, and what the record does not keep. */
export interface Recollection {
  readonly event: Event
  /** the states its gates were in for who called, by gate id */
  readonly given: Readonly<{ [gate: string]: GateState }>
  readonly notes: readonly string[]
  /** gates whose last move was not found, though they may have moved */
  readonly unknown: readonly Gate[]
}

/** Who acted is told by id too, where the trail has it; and in which project, by which line, with which end. */
type Told = Record & Whose & { readonly line?: string; readonly background?: true; readonly ended?: Status }

/** What was recorded before. */
export interface Past {
  /** oldest first; those without a move may be left out, those of other sessions may be among them */
  readonly records: readonly Told[]
  /** no move of before is missing */
  readonly isWhole: boolean
}

export function recollect(record: Told, past: Past, program: Policy, status?: Status): Recollection {
  const event = eventOf(record, status)
  const given: { [gate: string]: GateState } = {}
  const gates = program.gates.filter(one => one.initial !== undefined)
  for (const gate of gates) {
    const state = stateBefore(gate, record, past.records)
    if (state !== undefined) given[gate.id] = state
  }
  const unknown = past.isWhole ? [] : gates.filter(({ id }) => given[id] === undefined)
  return { event, given, notes: gapsIn(record, asksOf(program)), unknown }
}

function stateBefore(gate: Gate, record: Told, records: readonly Told[]): GateState | undefined {
  const moved = ({ moves }: Told) => moves.findLast(one => one.gate === gate.id)
  const last = records.findLast(one => moved(one) !== undefined && sharesState(gate, record, one))
  return last && moved(last)?.to
}

/** The event alone, for who plays the whole session. That a call succeeded shows where it moved a gate. */
export const recollected = (record: Told): Event =>
  eventOf(record, record.moves.length > 0 ? 'succeeded' : knownEnd(record))

/** Of a line whose parts are not known it proves nothing. */
const knownEnd = (record: Told): Status | undefined =>
  record.ended !== undefined && (record.acts.length < 2 || placesIn(record)) ? record.ended : undefined

function eventOf(record: Told, status: Status | undefined): Event {
  const placed = placesIn(record)
  const acts =
    placed?.acts ?? (isOfLostLine(record) ? record.acts.map(actOf).map(provesNothing) : record.acts.map(actOf))
  const input = { ...placed?.input, ...(record.background && { run_in_background: true }) }
  return {
    kind: record.event,
    client: record.client,
    name: record.name,
    session: record.session,
    caller: callerOf(record),
    ...(record.tool !== undefined && { call: { tool: record.tool, input, acts, ...statusIn(record, status) } }),
    ...(record.event === 'prompt.submit' && { prompt: { text: '', source: 'user' as const } }),
    ...((record.event === 'agent.stop' || record.event === 'agent.start') && { agent: record.caller }),
  }
}

/** The acts with what the end of the line tells of each; undefined where the line is not kept, or was not kept whole. */
function placesIn({ acts, line, background }: Told) {
  if (line === undefined) return undefined
  const read = readShell(line, { background: background === true }).acts
  if (read.length !== acts.length) return undefined
  const placed = acts.map(actOf).map((act, nth): Act => {
    const { implied, decides, folder, via = '' } = read[nth] ?? {}
    if (act.action !== 'run') return { ...act, via }
    const { implied: _, decides: __, ...rest } = act
    // where a folder leads to is not kept
    return { ...rest, via, ...(implied && folder === undefined && { implied }), ...(decides && { decides }) }
  })
  const isSame = placed.every((act, nth) => act.action === read[nth]?.action)
  return isSame ? { acts: placed, input: line.includes(HIDDEN) ? {} : { command: line } } : undefined
}

/** Several commands, and nothing tells how they were joined. */
const isOfLostLine = ({ acts, ended, moves }: Told): boolean =>
  ended !== undefined && moves.length === 0 && acts.filter(one => one.startsWith('run ')).length > 1

const provesNothing = ({ implied: _, decides: __, ...act }: Act): Act => act

/** The record of a subagent always has its id. A type alone is the main agent: `build` on opencode, `claude --agent reviewer`. */
const callerOf = ({ caller: label, agent }: Told): Caller => {
  if (agent !== undefined) return { kind: 'agent', id: agent, ...(label !== agent && { type: label }) }
  return label === 'main' || label === 'unknown' ? { kind: label } : { kind: 'main', type: label }
}

/** Old records do not keep how a call ended: the caller of this says what to take it for. */
function statusIn({ event }: Record, status: Status | undefined): { readonly status?: Status } {
  if (event === 'tool.failed') return { status: 'failed' }
  return event === 'tool.after' ? { status: status ?? 'unknown' } : {}
}

const CUT = /… \(\d+ characters, sha256 [0-9a-f]+\)$/
const HIDDEN = '[redacted]'
const UNTOLD: Word = { text: null, role: 'plain', free: true }

const MOST_ACTS = 500
const latest = new Map<string, Act>()

/** The short form of a record back to an act. The end of a call tells of the same ones as its beginning. */
function actOf(text: string): Act {
  const known = latest.get(text)
  if (known) return known
  if (latest.size >= MOST_ACTS) latest.clear()
  const act = readAct(text)
  latest.set(text, act)
  return act
}

/** What is hidden or cut in it cannot be told. */
function readAct(text: string): Act {
  const isCut = CUT.test(text)
  const whole = text.replace(CUT, '')
  const [, word = '', object = ''] = /^(\S+) ?([\s\S]*)$/.exec(whole) ?? []
  const action = ACTIONS.find(one => one === word)
  if (!action || (word === 'run' && object === '')) return { action: 'other', opaque: true, via: object }
  if (action === 'run') return runOf(object, isCut)
  const told = object === '…' || isCut || object.includes(HIDDEN) ? null : object
  if (action === 'fetch') return { action, url: told }
  if (action === 'spawn') return told ? { action, agent: told } : { action }
  return object === '' ? { action } : { action, place: { lexical: told } }
}

function runOf(line: string, isCut: boolean): Act {
  const read = readShell(line, { background: false }).acts.find(act => act.action === 'run' && act.words)
  if (!read?.words) return { action: 'other', opaque: true, via: line }
  const words = read.words.map(word =>
    word.text === null || word.text === '…' || word.text.includes(HIDDEN) ? { ...word, text: null } : word,
  )
  return { ...read, words: isCut ? [...words, UNTOLD] : words, via: line }
}

/** What stands for the acts that were too many. Records of before it have as many as were kept, and nothing more. */
const MORE = /^… and \d+ more \(sha256 [0-9a-f]+\)$/
const MOST_KEPT = 20

/** What a policy asks for that the trail may not keep. */
export interface Asks {
  readonly input: boolean
  readonly since: boolean
  readonly env: boolean
}

/** The built-in gates ask for everything, and are seldom meant. */
export function asksOf({ gates }: Policy): Asks {
  const text = JSON.stringify(gates.filter(gate => gate.layer !== 'built-in'))
  const asks = (key: string): boolean => text.includes(`"key":"${key}"`)
  return { input: asks('input'), since: asks('since'), env: asks('env') }
}

/** What the trail does not keep of an event, of what this policy asks for. */
export function gapsIn({ acts, event, tool, ended }: Told, asks: Asks): readonly string[] {
  const isCall = tool !== undefined
  return [
    ...(acts.some(one => one.includes(HIDDEN))
      ? ['secrets were hidden when it was recorded: what they were cannot be told']
      : []),
    ...(acts.some(one => CUT.test(one)) ? ['it was cut when it was recorded: the rest cannot be told'] : []),
    ...(acts.length === MOST_KEPT || acts.some(one => MORE.test(one))
      ? [`only the first ${MOST_KEPT} acts of a call are kept`]
      : []),
    ...(isCall && asks.input ? ['the input of a call is not kept: conditions on `input` find nothing'] : []),
    ...(event === 'prompt.submit' ? ['the text of a prompt is not kept'] : []),
    ...(asks.since ? ['counters are not kept: `since` counts from here'] : []),
    ...(asks.env ? ['the environment is not kept: variables are taken as not set'] : []),
    ...(event === 'tool.after' && ended === undefined ? ['how a call ended is not kept'] : []),
  ]
}
