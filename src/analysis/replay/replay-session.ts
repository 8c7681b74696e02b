import type { EvaluationInput, EvaluationResult, Event, Session } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import type { LastMove } from './last-move.ts'

/** The policies that a session is judged by. */
export interface PolicyComparison {
  readonly root: string
  readonly after: Policy
  /** what it is held against; absent: what happened then */
  readonly before?: Policy
  /** the two differ in the mode of this gate only, and no gate is shared by sessions: until it speaks they answer the same */
  readonly apart?: { readonly gate: string; readonly saysMoves: boolean }
}

/** One event, as both sides answer it. Undefined: on this side it does not come to be. */
export interface EventComparison {
  readonly event: Event
  readonly at: number
  readonly live: ReplaySession
  readonly after: EvaluationResult | undefined
  readonly before: EvaluationResult | undefined
  /** what was judged, for who wants to know why */
  readonly inputs: { readonly after: EvaluationInput; readonly before?: EvaluationInput }
  /** of the event that is asked for: what moved its gates last */
  readonly moved?: { readonly after: ReadonlyMap<string, LastMove>; readonly before: ReadonlyMap<string, LastMove> }
}

/** A session while it is played. */
export interface ReplaySession {
  readonly key: string
  readonly client: string
  readonly session: string
  readonly bench: PolicyComparison
  readonly began: number
  seen: number
  nth: number
  readonly after: SessionSide
  readonly before: SessionSide
  /** one judgement is that of both sides */
  isTogether: boolean
  /** of the calls under way */
  readonly acts: Map<string, CallActions>
  /** what was counted for this session, and how often it would be stopped */
  readonly noted: Set<string>
  /** what of it is not known, and may have moved a gate */
  readonly lost: Set<string>
  stops: number
  firstStop?: number
}

export type CallActions = NonNullable<Event['call']>['acts']

export interface SessionSide {
  session: Session
  /** calls that this side refused: what came of them did not happen here */
  readonly refused: Set<string>
  /** kept where one event is asked for */
  readonly moved: Map<string, LastMove>
}

/** The gate fired, failed, or moved with words: only then does its mode tell. */
export const isGateInvolved = (result: EvaluationResult | undefined, apart: PolicyComparison['apart']): boolean =>
  result !== undefined &&
  apart !== undefined &&
  (result.record.errors.length > 0 ||
    result.record.matches.some(one => one.gate === apart.gate) ||
    (apart.saysMoves && result.record.moves.some(one => one.gate === apart.gate)))

/** From here on the sides are two: the other one is where this one was before the event. */
export function splitSides(live: ReplaySession, session: Session, { call }: Event): void {
  live.isTogether = false
  live.before.session = session
  for (const id of live.after.refused) if (id !== call?.id) live.before.refused.add(id)
}

export const policyOfSide = (which: 'after' | 'before', { bench }: ReplaySession): Policy =>
  (which === 'after' ? bench.after : bench.before) ?? bench.after
