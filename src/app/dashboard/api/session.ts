import type { GateState } from '../../../engine/index.ts'
import type { DecisionRow } from './decision.ts'
import type { AgentStop } from './overview.ts'

/** Newest first, by what happened last in each. */
export interface SessionPage {
  readonly rows: readonly SessionRow[]
  /** go on with `before` this; null: that was all */
  readonly before: number | null
  /** how far records are sorted by session: older sessions may be missing while it is behind */
  readonly indexed: { readonly blocks: number; readonly of: number }
}

export interface SessionRow {
  readonly client: string
  readonly session: string
  /** null: not known (any more) */
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
  /** subagents that acted in it, as far as their agent tells one from another */
  readonly agents: number
  /** its state is still kept: it may go on */
  readonly isLive: boolean
}

/** A session as a timeline. */
export interface SessionDetail {
  readonly row: SessionRow
  /** false: older records are still being sorted, and numbers of the session may grow */
  readonly isCounted: boolean
  /** who acts in it: the main agent first, then each subagent as it first shows */
  readonly lanes: readonly AgentLane[]
  /** oldest first; 1,000 at most, the latest of them unless `before` says otherwise */
  readonly events: readonly SessionEvent[]
  /** there are earlier ones: ask with `before` this */
  readonly before: number | null
  /** gates that opened or closed, in any session where they are the project's; those whose state is known */
  readonly gates: readonly GateTimeline[]
  readonly stops: readonly AgentStop[]
}

export interface AgentLane {
  /** as records say it: `main`, `unknown`, or the type (else the id) of a subagent */
  readonly caller: string
  /** a subagent's own id, where its agent tells one */
  readonly agent?: string
  /** `caller`, with a number where the session has several of that type: by when they first acted in it */
  readonly name: string
  readonly firstAt: number
  readonly lastAt: number
  readonly events: number
  readonly denied: number
}

export interface SessionEvent extends DecisionRow {
  /** which of `lanes` */
  readonly lane: number
}

/** When a gate was open and when closed. A gate that every agent has for itself has a line for each of them that acts in what is shown. */
export interface GateTimeline {
  readonly gate: string
  readonly name: string
  /** which of `lanes` it is of, where every agent has its own */
  readonly lane?: number
  readonly spans: readonly GateSpan[]
}

export interface GateSpan {
  readonly state: GateState
  readonly from: number
  /** null: still */
  readonly to: number | null
  /** the record that began it; null: it began so */
  readonly n: number | null
}
