import type { Json } from '../../lib/json.ts'
import type { KnownFiles } from '../match/file-state.ts'
import type { ActionKind, EventKind, GateState } from './vocabulary.ts'

/** When something last happened to a gate: by the clock, in turns and in operations. */
export interface GateTimestamp {
  readonly at: number
  readonly turn: number
  readonly operations: number
}

/** Every gate keeps the same variables; nothing is stored twice. */
export interface GateVariables {
  readonly state: GateState
  /** operations counted so far, by this gate's own `counts` */
  readonly operations: number
  /** turns of all sessions, for a gate with scope `project` */
  readonly turns?: number
  readonly opened?: GateTimestamp
  readonly closed?: GateTimestamp
  readonly changed: GateTimestamp
  /** how often each rule with a `limit` fired since the state last changed */
  readonly fired?: Readonly<Record<string, number>>
  readonly captured?: Readonly<Record<string, Json>>
  /** why the last capture is invalid */
  readonly problem?: string
}

/** A gate's move from one state to the next, with its texts. */
export interface GateMove {
  readonly gate: string
  readonly from: GateState
  readonly to: GateState
  readonly captured?: { readonly name: string; readonly value: Json }
  readonly message: string
  readonly context: string
}

/** Effects that wait for the end of a call. */
export interface PendingEffects {
  readonly call: string
  readonly warnings: readonly string[]
  /** held back by an `ask` */
  readonly moves: readonly GateMove[]
  /** the call was refused: if it ends all the same, the record notes it */
  readonly refused?: boolean
}

/** A text for the caller's next event that can carry it. */
export interface QueuedText {
  readonly to: string
  readonly for: 'agent' | 'person'
  readonly text: string
}

/** An agent whose spawning call has not ended, for clients whose calls do not name the caller. */
export interface PendingSpawn extends ParallelWindow {
  readonly call: string
  readonly id: string
  readonly agent?: string
  /** the agent has reported its stop; the end of the spawning call reports it again */
  readonly stopped?: boolean
}

/** Everything stored about one session: loaded once at the start of an event, saved once at its end. */
export interface Session {
  readonly id: string
  /** pinned at the first event, so that `cd` cannot leave the policy */
  readonly root: string
  readonly turn: number
  readonly startedAt: number
  readonly seenAt: number
  /** by gate id, and `gate@caller` for gates of scope `agent` */
  readonly gates: Readonly<Record<string, GateVariables>>
  /** gates with scope `project`: shared by every session of the root, stored beside the session */
  readonly shared: Readonly<Record<string, GateVariables>>
  readonly waiting: readonly PendingEffects[]
  readonly queue: readonly QueuedText[]
  /** times of the latest denials, newest last, by caller, gate and rule */
  readonly denials: Readonly<Record<string, readonly number[]>>
  /** stop events denied in a row */
  readonly stopsRefused: number
  /** failures of gates and sub-hooks that the person has been notified of */
  readonly notified?: readonly string[]
  /** the reason with which the latest stop was denied, '' if it was not: some clients send it back as a prompt */
  readonly stopReason: string
  readonly spawns: readonly PendingSpawn[]
  readonly begun?: AgentTurns
  /** what calls did to files, the latest last; only if the policy asks */
  readonly files?: KnownFiles
  /** data that exports store with the session, by their own keys */
  readonly exported?: Readonly<Record<string, Json>>
}

export function newSession(id: string, root: string, now: number): Session {
  const empty = { gates: {}, shared: {}, waiting: [], queue: [], denials: {}, spawns: [] }
  return { id, root, turn: 0, startedAt: now, seenAt: now, ...empty, stopsRefused: 0, stopReason: '' }
}

/** For each agent that has not stopped, the turn it began in. The key is the agent's id, or its type if it has no id. */
type AgentTurns = Readonly<Record<string, number>>

/** What an event says about agents. */
interface AgentEvent {
  readonly kind: EventKind
  readonly caller: { readonly kind: string; readonly id?: string; readonly type?: string }
  readonly agent?: string
  readonly call?: { readonly acts: readonly { readonly action: ActionKind; readonly agent?: string }[] }
}

const MOST_BEGUN = 64

/** `plugin:router` and `Router` are the same agent type. */
export const agentName = (type: string): string => type.slice(type.lastIndexOf(':') + 1).toLowerCase()

export const isSameAgent = (name: string, agent: string | undefined): boolean =>
  agent !== undefined && agentName(name) === agentName(agent)

/** False for the caller kinds `main`, `agent` and `unknown`. */
export const isAgentType = (name: string): boolean => !['main', 'agent', 'unknown'].includes(name)

const typeKey = (type: string | undefined): string | undefined => type && `type:${agentName(type)}`

const ownKey = ({ caller, agent }: AgentEvent): string | undefined =>
  caller.id === undefined ? typeKey(agent ?? caller.type) : `agent:${caller.id}`

const spawnedKey = ({ call }: AgentEvent): string | undefined =>
  typeKey(call?.acts.find(act => act.action === 'spawn')?.agent)

/** If this event reports the end of an agent: the turn in which that agent began. */
export function startTurnOf(event: AgentEvent, begun: AgentTurns | undefined): number | undefined {
  if (!begun || (event.kind !== 'agent.stop' && event.kind !== 'tool.after')) return undefined
  const key = event.kind === 'agent.stop' ? ownKey(event) : spawnedKey(event)
  return key === undefined ? undefined : begun[key]
}

/** A repeated start counts again: a resumed agent works for the turn in which it was resumed. */
export function nextAgentTurns(event: AgentEvent, begun: AgentTurns | undefined, turn: number): AgentTurns | undefined {
  const own = ownKey(event)
  if (event.kind === 'agent.stop') return own === undefined ? begun : without(begun, own)
  if (event.kind === 'agent.start') return own === undefined ? begun : marked(begun, own, turn)
  if (event.kind !== 'tool.before') return begun
  const spawned = spawnedKey(event)
  const known = own === undefined || begun?.[own] !== undefined ? begun : marked(begun, own, turn)
  return spawned === undefined ? known : marked(known, spawned, turn)
}

const marked = (begun: AgentTurns | undefined, key: string, turn: number): AgentTurns =>
  Object.fromEntries([...Object.entries(without(begun, key) ?? {}), [key, turn] as const].slice(-MOST_BEGUN))

const without = (begun: AgentTurns | undefined, key: string): AgentTurns | undefined =>
  begun?.[key] === undefined ? begun : Object.fromEntries(Object.entries(begun).filter(([text]) => text !== key))

interface Closable {
  readonly scope: string
  readonly transitions: readonly { readonly to: GateState; readonly events: readonly EventKind[] }[]
}

/** An agent begun under an earlier prompt cannot open a gate closed by a later one. Project gates count turns of many sessions. */
export const isStaleAnswer = (
  { scope, transitions }: Closable,
  began: number | undefined,
  closed: number | undefined,
) =>
  began !== undefined &&
  closed !== undefined &&
  began < closed &&
  scope !== 'project' &&
  transitions.some(({ to, events }) => to === 'closed' && events.includes('prompt.submit'))

/** Where callers are inferred: can a call be the main agent's, made in the same turn as the spawn of the agent in flight? */

interface ParallelWindow {
  /** a call reported before this time can be; absent once a call has ended, or if the client reports no times */
  readonly sharedUntil?: number
  /** the client's time of the spawn */
  readonly spawnedAt?: number
}

/**
 * A client that runs the calls of a turn in parallel reports all of them, one right after the other, before the first of them runs
 * (Gemini CLI 0.61.0: up to 52 ms apart on a machine under heavy load). So no parallel call is reported once another call has ended,
 * or after a pause of this length.
 */
const PAUSE_MS = 2000

export const startParallelWindow = (at: number | undefined): ParallelWindow =>
  at === undefined ? {} : { sharedUntil: at + PAUSE_MS, spawnedAt: at }

export const isInParallelWindow = (at: number | undefined, { sharedUntil = 0 }: ParallelWindow): boolean =>
  at !== undefined && at < sharedUntil

/** Another parallel call may follow this call. */
export const extendParallelWindow =
  (at: number | undefined) =>
  <T extends ParallelWindow>(spawn: T): T =>
    at !== undefined && isInParallelWindow(at, spawn) ? { ...spawn, sharedUntil: at + PAUSE_MS } : spawn

/** File systems may round times down by as much. */
const CLOCK_TOLERANCE_MS = 10

/** `wrote`: when a subagent last wrote to its transcript. An agent that runs has written since its spawn; an agent that has not written makes no calls. */
export const hasAgentRun = (wrote: number, { spawnedAt = 0 }: ParallelWindow): boolean =>
  wrote >= spawnedAt - CLOCK_TOLERANCE_MS

/** A call has ended, so no parallel call follows. */
export const closeParallelWindow = <T extends ParallelWindow>({
  sharedUntil: _,
  spawnedAt: __,
  ...spawn
}: T): Omit<T, keyof ParallelWindow> => spawn
