import type { Json } from '../../lib/json.ts'
import type { AgentTurns } from './agent-turns.ts'
import type { ParallelWindow } from './parallel-window.ts'
import type { GateState } from './vocabulary.ts'

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
  readonly told?: readonly string[]
  /** the reason with which the latest stop was denied, '' if it was not: some clients send it back as a prompt */
  readonly stopReason: string
  readonly spawns: readonly PendingSpawn[]
  readonly begun?: AgentTurns
  /** data that exports store with the session, by their own keys */
  readonly exported?: Readonly<Record<string, Json>>
}

export function newSession(id: string, root: string, now: number): Session {
  const empty = { gates: {}, shared: {}, waiting: [], queue: [], denials: {}, spawns: [] }
  return { id, root, turn: 0, startedAt: now, seenAt: now, ...empty, stopsRefused: 0, stopReason: '' }
}
