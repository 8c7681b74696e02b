import type { Event, Session } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import type { PlayedEvent, Simulator } from '../simulator/index.ts'
import type { AbsentAgents } from './absent-agents.ts'
import type { LastMove } from './last-move.ts'

/** The policies that replay compares for one session. */
export interface ComparedPolicies {
  readonly root: string
  readonly after: Policy
  /** the policy to compare with; absent: compare with the recorded decisions */
  readonly before?: Policy
  /** set if the policies differ only in this gate's mode and no gate is shared: decisions are equal until this gate matches */
  readonly onlyDifference?: { readonly gate: string; readonly hasTransitionTexts: boolean }
}

/** The results of one event on both sides. Undefined: the event does not happen on that side. */
export interface EventComparison {
  readonly event: Event
  readonly at: number
  readonly live: ReplaySession
  /** position in its session, from 1; a payload can have several events */
  readonly nth: number
  readonly after: PlayedEvent | undefined
  readonly before: PlayedEvent | undefined
  /** only for the requested event: both sides before it, for an explanation */
  readonly prior?: { readonly after: PriorState; readonly before?: PriorState }
}

/** One side before an event. */
export interface PriorState {
  readonly simulator: Simulator
  /** the last move of each gate */
  readonly moved: ReadonlyMap<string, LastMove>
}

/** A session during replay. */
export interface ReplaySession {
  readonly key: string
  readonly client: string
  readonly session: string
  readonly policies: ComparedPolicies
  readonly began: number
  seen: number
  nth: number
  readonly after: SessionSide
  readonly before: SessionSide
  /** both sides are still equal, so one evaluation serves both */
  isTogether: boolean
  /** actions of running calls, by call id */
  readonly acts: Map<string, CallActions>
  /** keys already counted for this session (see `noteOnce`) */
  readonly noted: Set<string>
  /** reasons why parts of the session are unknown; such a part may have moved a gate */
  readonly unknownReasons: Set<string>
  stops: number
  firstStop?: number
}

export type CallActions = NonNullable<Event['call']>['acts']

export interface SessionSide {
  readonly simulator: Simulator
  /** keys of calls that this side denied: their end events do not happen here */
  readonly refused: Set<string>
  readonly absent: AbsentAgents
  /** last moves, tracked only if one event is requested */
  readonly moved: Map<string, LastMove>
}

/** The gate matched, an error occurred, or its transition has a message: only then does the mode make a difference. */
export const mayModeMatter = (result: PlayedEvent | undefined, apart: ComparedPolicies['onlyDifference']): boolean =>
  result !== undefined &&
  apart !== undefined &&
  (result.record.errors.length > 0 ||
    result.record.matches.some(match => match.gate === apart.gate) ||
    (apart.hasTransitionTexts && result.record.moves.some(move => move.gate === apart.gate)))

/** Separates the two sides: `before` continues from the session state before this event. */
export function divergeSides(live: ReplaySession, session: Session, event: Event): void {
  live.isTogether = false
  live.before.simulator.session = session
  live.before.absent.copyFrom(live.after.absent, event)
  const own = callKeyOf(event)
  for (const key of live.after.refused) if (key !== own) live.before.refused.add(key)
}

/** Identifies a call at its beginning and at its end. The audit log has no ids: there, it is what the caller does. */
export function callKeyOf({ call, caller }: Event): string | undefined {
  if (!call) return undefined
  if (call.id !== undefined) return call.id
  const acts = call.acts.map(({ action, words, place, url, agent, via }) => [
    ...[action, words?.map(word => word.text), place?.lexical, url, agent, via],
  ])
  return JSON.stringify([caller.kind === 'agent' ? caller.id : caller.kind, call.tool, acts])
}

export const policyOfSide = (which: 'after' | 'before', policies: ComparedPolicies): Policy =>
  (which === 'after' ? policies.after : policies.before) ?? policies.after
