import {
  type Capabilities,
  callerKey,
  type EvaluationInput,
  type EvaluationTools,
  type Event,
  evaluate,
  type Gate,
  type Program,
  proposeTransitions,
  type Session,
} from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import type { EvaluatedEvent } from '../exports/exports.ts'
import type { PreparedEvent } from '../services/hook-services.ts'
import { findAttestations } from './attestation.ts'
import { randomHex } from './attestation-key.ts'
import {
  type AttestationContext,
  attestedEnds,
  attestedRunsOf,
  haveRunsEnded,
  type PendingRun,
  readPendingRuns,
  takePendingRuns,
  withRunEnds,
} from './attested-ends.ts'
import { withInvalidatedRun, withMissedRuns } from './missed-run.ts'

/** Commands of earlier calls: `ended` if their end is known now, else `running`. */
export interface LateRuns {
  readonly ended: readonly { readonly id: string; readonly ready: PreparedEvent }[]
  readonly running: readonly string[]
}

/** Analyses an event and gathers its facts. */
type Look = (event: Event) => readonly PreparedEvent[]

const NONE: LateRuns = { ended: [], running: [] }

/** Finds the ends of earlier calls' commands by their attestations: in output that the agent has just read, or in the state folder. */
export function findLateRuns(event: Event | undefined, look: Look, hearing: AttestationContext): LateRuns {
  const { identity } = hearing
  const pending = readPendingRuns(hearing).filter(({ usedBy }) => usedBy === undefined || usedBy === identity)
  if (pending.length === 0) return NONE
  const isEnd = event?.kind === 'tool.after' || event?.kind === 'tool.failed'
  const heard = isEnd ? findAttestations(hearing.text) : []
  const found = pending.map(run => ({ id: run.id, ready: endOf(run, heard, look, hearing) }))
  const known = found.flatMap(({ id, ready }) => (ready ? [{ id, ready }] : []))
  const taken = known.length === 0 ? [] : takePendingRuns(known, identity ?? randomHex(16), hearing)
  const ended = known.filter(({ id }) => taken.includes(id))
  return { ended, running: found.flatMap(({ id, ready }) => (ready ? [] : [id])) }
}

function endOf(
  { id, from, to, event }: PendingRun,
  heard: Parameters<typeof attestedEnds>[2],
  look: Look,
  hearing: AttestationContext,
): PreparedEvent | undefined {
  const runs = attestedRunsOf(event, hearing)
  const by = JSON.stringify([hearing.key.client, hearing.key.session, 'late', id, from])
  const ends = attestedEnds(runs, { from, to, by }, heard, hearing)
  if (ends.size === 0 || !haveRunsEnded(runs, ends)) return undefined
  const [ready] = look(event)
  return ready && { ...ready, event: withRunEnds(ready.event, runs, name => ends.get(name)) }
}

/** Session key for the gates that events closed, or would have closed, since a command began. By the command's call. */
const KEY = 'spoiled-runs'

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
    const isSpoiled = (gate: Gate): boolean => spoiled.has(keyOf(gate, event))
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
    const noted = withInvalidatedRun(
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
export function withClosedGatesNoted(
  session: Session,
  running: readonly string[],
  events: () => readonly Happened[],
): Session {
  const known = spoiledIn(session)
  if (running.length === 0 && Object.keys(known).length === 0) return session
  const closed = running.length === 0 ? [] : events().flatMap(closedBy)
  const next: Spoiled = Object.fromEntries(
    running.flatMap(id => {
      const all = [...new Set([...(known[id] ?? []), ...closed])]
      return all.length > 0 ? [[id, all]] : []
    }),
  )
  if (JSON.stringify(next) === JSON.stringify(known)) return session
  return { ...session, exported: { ...session.exported, [KEY]: next } }
}

function closedBy({ input, tools }: Happened): readonly string[] {
  const program = onlyMoves(input.program, () => false)
  const { proposals } = proposeTransitions({ ...input, program, session: opened(input.session) }, tools)
  return proposals.filter(({ transition }) => transition.to === 'closed').map(({ gate }) => keyOf(gate, input.event))
}

/** The session as if every gate were open. */
function opened(session: Session): Session {
  const open = (gates: Session['gates']): Session['gates'] =>
    Object.fromEntries(Object.entries(gates).map(([key, memory]) => [key, { ...memory, state: 'open' }]))
  return { ...session, gates: open(session.gates), shared: open(session.shared) }
}

const keyOf = ({ id, scope }: Gate, { caller }: EvaluationInput['event']): string =>
  scope === 'agent' ? `${id}@${callerKey(caller)}` : id

const onlyMoves = (program: Program, isSpoiled: (gate: Gate) => boolean): Program => ({
  ...program,
  gates: program.gates.map(gate => {
    const { code, counts, routes, ...rest } = gate
    const transitions = isSpoiled(gate) ? gate.transitions.filter(({ to }) => to !== 'open') : gate.transitions
    return { ...rest, rules: [], transitions }
  }),
})

function spoiledIn({ exported }: Session): Spoiled {
  const found = exported?.[KEY]
  if (!isObject(found)) return {}
  return Object.fromEntries(
    Object.entries(found).map(([id, gates]) => [
      id,
      Array.isArray(gates) ? gates.filter(one => typeof one === 'string') : [],
    ]),
  )
}
