import type { GateState } from '../../../engine/index.ts'
import type { DecisionRow } from './decision.ts'
import type { AgentStop } from './overview.ts'

/** Newest first, by the last record of each session. */
export interface SessionPage {
  readonly rows: readonly SessionRow[]
  /** the next request's `before`; null at the end */
  readonly before: number | null
  /** indexing progress: older sessions may be missing while it is behind */
  readonly indexingProgress: { readonly blocks: number; readonly of: number }
}

export interface SessionRow {
  readonly client: string
  readonly session: string
  /** null: unknown */
  readonly project: string | null
  readonly firstAt: number
  readonly lastAt: number
  /** numbers of its first and last record */
  readonly first: number
  readonly last: number
  readonly events: number
  readonly calls: number
  readonly denied: number
  readonly asked: number
  /** number of subagents that acted, if the agent distinguishes them */
  readonly agents: number
  /** its state is still stored, so it may continue */
  readonly isLive: boolean
}

/** A session as a timeline. */
export interface SessionDetail {
  readonly row: SessionRow
  /** false: older records are still being indexed, and the numbers may grow */
  readonly isCounted: boolean
  /** the callers: the main agent first, then subagents by their first event */
  readonly lanes: readonly AgentLane[]
  /** oldest first, at most 1,000; the latest unless `before` is given */
  readonly events: readonly SessionEvent[]
  /** pass as `before` to get earlier events; null if there are none */
  readonly before: number | null
  /** gates with a known state; project gates include changes by other sessions */
  readonly gates: readonly GateTimeline[]
  readonly stops: readonly AgentStop[]
}

export interface AgentLane {
  /** as recorded: `main`, `unknown`, or the type (else the id) of a subagent */
  readonly caller: string
  /** a subagent's id, if the agent reports one */
  readonly agent?: string
  /** `caller`, numbered by first event if the session has several subagents of that type */
  readonly name: string
  readonly firstAt: number
  readonly lastAt: number
  readonly events: number
  readonly denied: number
}

export interface SessionEvent extends DecisionRow {
  /** index in `lanes` */
  readonly lane: number
}

/** When a gate was open and closed. A gate with `scope: agent` has one timeline for each agent shown. */
export interface GateTimeline {
  readonly gate: string
  readonly name: string
  /** index in `lanes`, for a gate with `scope: agent` */
  readonly lane?: number
  readonly spans: readonly GateSpan[]
}

export interface GateSpan {
  readonly state: GateState
  readonly from: number
  /** null: until now */
  readonly to: number | null
  /** the record that started the span; null if the span starts before the shown records */
  readonly n: number | null
}
