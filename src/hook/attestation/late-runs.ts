import {
  type Caller,
  type Capabilities,
  type EvaluationInput,
  type EvaluationTools,
  type Event,
  evaluate,
  type Gate,
  type Program,
  proposeTransitions,
  type Session,
} from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { createMask, type SessionKey, type Store } from '../../store/index.ts'
import type { EvaluatedEvent } from '../exports/exports.ts'
import type { PreparedEvent } from '../services/hook-services.ts'
import { findAttestations } from './attestation.ts'
import { randomHex } from './attestation-key.ts'
import {
  type AttestationContext,
  attestedEnds,
  DAY_MS,
  haveRunsEnded,
  runCommandsOf,
  withRunEnds,
} from './attested-ends.ts'
import { gateKey, withInvalidatedRuns, withMissedRuns } from './missed-run.ts'

/** Commands of earlier calls: `ended` if their end is known now, else `running`. */
export interface LateRuns {
  readonly ended: readonly { readonly id: string; readonly ready: PreparedEvent }[]
  readonly running: readonly string[]
}

/** Analyses an event and gathers its facts. */
type Look = (event: Event) => readonly PreparedEvent[]

export const NO_LATE_RUNS: LateRuns = { ended: [], running: [] }

/** Name of the lease that holds the calls of a session whose commands may still run. */
export const PENDING_RUNS = 'pending runs'

/** Finds the ends of earlier calls' commands by their attestations: in output that the agent has just read, or in the state folder. */
export function findLateRuns(
  lease: JsonObject,
  event: Event | undefined,
  look: Look,
  attestationContext: AttestationContext,
): LateRuns {
  const { identity, now } = attestationContext
  const pending = entriesIn(lease)
    .flatMap(entry => pendingOf(entry, now))
    .filter(({ usedBy }) => usedBy === undefined || usedBy === identity)
  if (pending.length === 0) return NO_LATE_RUNS
  const isEnd = event?.kind === 'tool.after' || event?.kind === 'tool.failed'
  const attestations = isEnd ? findAttestations(attestationContext.text) : []
  const found = pending.map(run => ({ id: run.id, ready: endOf(run, attestations, look, attestationContext) }))
  const known = found.flatMap(({ id, ready }) => (ready ? [{ id, ready }] : []))
  const taken = known.length === 0 ? [] : takePendingRuns(known, identity ?? randomHex(16), attestationContext)
  const ended = known.filter(({ id }) => taken.includes(id))
  return { ended, running: found.flatMap(({ id, ready }) => (ready ? [] : [id])) }
}

function endOf(
  { id, from, to, event }: PendingRun,
  attestations: Parameters<typeof attestedEnds>[2],
  look: Look,
  attestationContext: AttestationContext,
): PreparedEvent | undefined {
  const runs = runCommandsOf(event, attestationContext)
  const by = JSON.stringify([attestationContext.key.client, attestationContext.key.session, 'late', id, from])
  const ends = attestedEnds(runs, { from, to, by }, attestations, attestationContext)
  if (ends.size === 0 || !haveRunsEnded(runs, ends)) return undefined
  const [ready] = look(event)
  return ready && { ...ready, event: withRunEnds(ready.event, runs, name => ends.get(name)) }
}

/** Session key for the gates that events closed, or would have closed, since a command began. By the command's call. */
export const SPOILED_RUNS = 'spoiled-runs'

type Spoiled = Record<string, string[]>

interface Judging {
  readonly program: Program
  readonly capabilities: Capabilities
  readonly tools: (ready: PreparedEvent) => EvaluationTools
}

/**
 * Applies the transitions of commands that have ended, before the event itself is evaluated. They deny nothing: their calls were evaluated
 * earlier. A gate that an event closed after the command began is not opened.
 */
export function evaluateLateRuns(late: LateRuns['ended'], loaded: Session, { program, capabilities, tools }: Judging) {
  let session = loaded
  const judged: EvaluatedEvent[] = []
  for (const { id, ready } of late) {
    const { event } = ready
    const { replies, ...facts } = ready.facts
    const spoiled = new Set(spoiledIn(loaded)[id])
    const isSpoiled = (gate: Gate): boolean => spoiled.has(gateKey(gate, event.caller))
    // no reply is sent for this event: its texts wait for the next event
    const silent = { ...capabilities, events: { ...capabilities.events, 'tool.after': { can: ['pass' as const] } } }
    const input: EvaluationInput = {
      event,
      session,
      facts,
      capabilities: silent,
      program: onlyMoves(program, isSpoiled),
    }
    const result = evaluate(input, tools(ready))
    const noted = withInvalidatedRuns(
      withMissedRuns(result, { ...input, program }),
      event,
      program.gates.filter(isSpoiled),
    )
    const notes = [...noted.record.notes, 'ended after its call']
    session = noted.session
    judged.push({ event, result: { ...noted, record: { ...noted.record, notes } } })
  }
  return { session, judged }
}

interface Happened {
  readonly input: EvaluationInput
  readonly tools: EvaluationTools
}

/** For commands that still run, records the gates that these events close, or would close if they were open. */
export function noteGatesClosedMeanwhile(
  session: Session,
  running: readonly string[],
  events: () => readonly Happened[],
): Session {
  const known = spoiledIn(session)
  const closed = running.length === 0 ? [] : events().flatMap(closedBy)
  const next: Spoiled = Object.fromEntries(
    running.flatMap(id => {
      const all = [...new Set([...(known[id] ?? []), ...closed])]
      return all.length > 0 ? [[id, all]] : []
    }),
  )
  if (JSON.stringify(next) === JSON.stringify(known)) return session
  return { ...session, exported: { ...session.exported, [SPOILED_RUNS]: next } }
}

function closedBy({ input, tools }: Happened): readonly string[] {
  const program = onlyMoves(input.program, () => false)
  const { proposals } = proposeTransitions({ ...input, program, session: opened(input.session) }, tools)
  return proposals
    .filter(({ transition }) => transition.to === 'closed')
    .map(({ gate }) => gateKey(gate, input.event.caller))
}

/** The session as if every gate were open. */
function opened(session: Session): Session {
  const open = (gates: Session['gates']): Session['gates'] =>
    Object.fromEntries(Object.entries(gates).map(([key, memory]) => [key, { ...memory, state: 'open' }]))
  return { ...session, gates: open(session.gates), shared: open(session.shared) }
}

const onlyMoves = (program: Program, isSpoiled: (gate: Gate) => boolean): Program => ({
  ...program,
  gates: program.gates.map(gate => {
    const { code, counts, routes, ...rest } = gate
    const transitions = isSpoiled(gate) ? gate.transitions.filter(({ to }) => to !== 'open') : gate.transitions
    return { ...rest, rules: [], transitions }
  }),
})

function spoiledIn({ exported }: Session): Spoiled {
  const found = exported?.[SPOILED_RUNS]
  if (!isObject(found)) return {}
  return Object.fromEntries(
    Object.entries(found).map(([id, gates]) => [
      id,
      Array.isArray(gates) ? gates.filter(gate => typeof gate === 'string') : [],
    ]),
  )
}

/** A call with `signalbox run` that ended before its command. */
interface PendingRun {
  readonly id: string
  /** its command began between `from` and `to` */
  readonly from: number
  readonly to: number
  readonly until: number
  /** the event that found its end */
  readonly usedBy?: string
  readonly event: Event
}

interface PendingRunStore {
  readonly store: Store
  readonly key: SessionKey
  readonly now: number
}

const MOST = 8
const LONGEST_LINE = 4000
/** The time a busy machine may need to start a program in the background. */
const START_MS = 10_000

/** Keeps the call until its command has ended. A line with a secret is not kept. */
export function savePendingRun(event: Event, from: number, id: string, { store, key, now }: PendingRunStore): void {
  const { client, session, caller, cwd, call } = event
  // the client sent no event about the end of a call that is kept from its beginning
  const name = event.kind === 'tool.before' ? 'signalbox run' : event.name
  const { command } = call?.input ?? {}
  if (call?.tool !== 'Bash' || typeof command !== 'string' || command.length > LONGEST_LINE) return
  if (createMask(call.input)(command) !== command) return
  const { folder } = call
  const run: JsonObject = {
    ...{ id, from, to: now + START_MS, until: now + DAY_MS, name, client, session, command, caller: { ...caller } },
    ...(cwd !== undefined && { cwd }),
    ...(call.id !== undefined && { call: call.id }),
    ...(folder !== undefined && { folder }),
  }
  store.claim(key, PENDING_RUNS, claim => {
    const others = entriesIn(claim).filter(
      entry => entry.id !== id && entry.usedBy === undefined && Number(entry.until) >= now,
    )
    return { until: now + DAY_MS, runs: [...others, run].slice(-MOST) }
  })
}

/** Assigns runs to the event that found their ends. The first event gets a run; later events do not. */
function takePendingRuns(
  found: readonly { readonly id: string }[],
  by: string,
  { store, key }: PendingRunStore,
): readonly string[] {
  const claim = store.claim(key, PENDING_RUNS, claim => {
    if (typeof claim?.until !== 'number') return undefined
    const isFound = (value: JsonObject): boolean => found.some(({ id }) => id === value.id)
    return {
      until: claim.until,
      runs: entriesIn(claim).map(entry => (isFound(entry) ? { usedBy: by, ...entry } : entry)),
    }
  })
  return entriesIn(claim).flatMap(({ id, usedBy }) => (usedBy === by ? [String(id)] : []))
}

/** Its call has ended, and so has its command: no later event looks for its end. */
export const endPendingRun = (id: string, where: PendingRunStore): unknown => takePendingRuns([{ id }], '-', where)

const entriesIn = (claim: JsonObject | undefined): readonly JsonObject[] =>
  Array.isArray(claim?.runs) ? claim.runs.filter(isObject) : []

function pendingOf(entry: JsonObject, now: number): readonly PendingRun[] {
  const { id, from, to, until, usedBy, name, client, session, command, cwd, call, folder } = entry
  const caller = callerOf(entry.caller)
  if (typeof from !== 'number' || typeof to !== 'number' || typeof until !== 'number' || until < now) return []
  if (typeof id !== 'string' || typeof command !== 'string' || !caller) return []
  const event: Event = {
    ...{ kind: 'tool.after', client: String(client), name: String(name), session: String(session), caller },
    ...(typeof cwd === 'string' && { cwd }),
    call: {
      ...{ tool: 'Bash', input: { command }, acts: [], status: 'unknown' },
      ...(typeof call === 'string' && { id: call }),
      ...(typeof folder === 'string' && { folder }),
    },
  }
  return [{ id, from, to, until, event, ...(typeof usedBy === 'string' && { usedBy }) }]
}

function callerOf(value: Json | undefined): Caller | undefined {
  if (!isObject(value)) return undefined
  const { kind, id, type } = value
  const typed = typeof type === 'string' ? { type } : {}
  if (kind === 'main') return { kind, ...typed }
  if (kind === 'agent' && typeof id === 'string') return { kind, id, ...typed }
  return kind === 'unknown' ? { kind } : undefined
}
