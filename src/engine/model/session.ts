import type { Json } from '../../lib/json.ts'
import type { AgentTurns } from './agent-turns.ts'
import type { ParallelWindow } from './parallel-window.ts'
import type { GateState } from './vocabulary.ts'

/** When something last happened to a gate: on the clock, in turns, in operations. */
export interface GateTimestamp {
  readonly at: number
  readonly turn: number
  readonly operations: number
}

/** Every gate keeps the same variables; nothing is stored twice. */
export interface GateVariables {
  readonly state: GateState
  /** counted so far, by this gate's own `counts` */
  readonly operations: number
  /** turns of all sessions, for a gate of the project */
  readonly turns?: number
  readonly opened?: GateTimestamp
  readonly closed?: GateTimestamp
  readonly changed: GateTimestamp
  /** how often each rule with a `limit` fired since the state last changed */
  readonly fired?: Readonly<Record<string, number>>
  readonly captured?: Readonly<Record<string, Json>>
  /** why the last capture was not accepted */
  readonly problem?: string
}

/** A gate's step from one state to the next, with the words that go with it. */
export interface GateMove {
  readonly gate: string
  readonly from: GateState
  readonly to: GateState
  readonly captured?: { readonly name: string; readonly value: Json }
  readonly message: string
  readonly context: string
}

/** What waits for the end of a call. */
export interface PendingEffects {
  readonly call: string
  readonly warnings: readonly string[]
  /** held back by an `ask` */
  readonly moves: readonly GateMove[]
  /** it was refused: if it ends all the same, that is worth a word in the record */
  readonly refused?: boolean
}

/** A text for a caller's next event that can carry it. */
export interface QueuedText {
  readonly to: string
  readonly for: 'agent' | 'person'
  readonly text: string
}

/** An agent whose spawning call has not ended, where its own calls do not tell who makes them. */
export interface PendingSpawn extends ParallelWindow {
  readonly call: string
  readonly id: string
  readonly agent?: string
  /** it has said its last word: the end of the call says it once more */
  readonly stopped?: boolean
}

/** All that is remembered of one session: loaded once at the start of an event, saved once at its end. */
export interface Session {
  readonly id: string
  /** pinned at the first event, so that `cd` cannot leave the policy */
  readonly root: string
  readonly turn: number
  readonly startedAt: number
  readonly seenAt: number
  /** by gate id, and `gate@caller` for gates of scope `agent` */
  readonly gates: Readonly<Record<string, GateVariables>>
  /** gates of scope `project`: shared by every session of the root, stored beside this one */
  readonly shared: Readonly<Record<string, GateVariables>>
  readonly waiting: readonly PendingEffects[]
  readonly queue: readonly QueuedText[]
  /** times of the latest refusals, newest last, by caller, gate and rule */
  readonly denials: Readonly<Record<string, readonly number[]>>
  /** stop events refused one after the other */
  readonly stopsRefused: number
  /** what went wrong with sub-hooks, as far as the person has heard of it */
  readonly told?: readonly string[]
  /** what the latest stop was refused with, '' when it was not: some clients go on with it as a prompt */
  readonly stopReason: string
  readonly spawns: readonly PendingSpawn[]
  readonly begun?: AgentTurns
  /** what exports keep with it, by their own keys */
  readonly exported?: Readonly<Record<string, Json>>
}

export function newSession(id: string, root: string, now: number): Session {
  const empty = { gates: {}, shared: {}, waiting: [], queue: [], denials: {}, spawns: [] }
  return { id, root, turn: 0, startedAt: now, seenAt: now, ...empty, stopsRefused: 0, stopReason: '' }
}
