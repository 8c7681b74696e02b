import {
  type Action,
  actionsOf,
  type Evaluation,
  type Gate,
  type GateState,
  isStaleAnswer,
  type MatchContext,
} from '../../engine/index.ts'
import { actionText } from './actual-value.ts'
import { type ConditionTrace, isNearMiss, traceCondition, unmetLeafCount } from './condition-trace.ts'

type Transition = Gate['transitions'][number]

/**
 * Result of a transition. `held`: it would move the gate, but the call was denied or needs a person's answer; `invalid`: the
 * captured value was rejected; `spoilt`: the same call closes the gate again; `late`: it belongs to an earlier prompt;
 * `second`: an earlier transition of the gate matched first.
 */
export type TransitionOutcome =
  | 'moves'
  | 'prevented'
  | 'invalid'
  | 'spoilt'
  | 'late'
  | 'second'
  | 'near'
  | 'no'
  | 'event'
  | 'state'
  | 'clock'

export interface TransitionTrace {
  readonly transition: string
  readonly from: readonly GateState[]
  readonly to: GateState
  readonly result: TransitionOutcome
  readonly action: string
  readonly when: ConditionTrace
  readonly problem?: string
  readonly at?: string
}

/** The evaluation in which the transitions were proposed, and its results. */
export interface TransitionContext {
  readonly evaluation: Evaluation
  readonly proposed: readonly { readonly gate: Gate; readonly transition: Transition; readonly problem?: string }[]
  /** ids of gates that changed state */
  readonly moved: ReadonlySet<string>
}

export function traceTransition(
  transition: Transition,
  gate: Gate,
  context: MatchContext,
  transitionContext: TransitionContext,
): TransitionTrace {
  const { id, from, to, at } = transition
  const tried = actionsOf(context.event).map(action => ({
    act: action,
    when: traceCondition(transition.when, action, context, quantifierFor(to)),
  }))
  const shown = tried.find(candidate => isTriggered(transition, candidate.when)) ?? nearestTrace(tried)
  const problem = transitionContext.proposed.find(candidate => candidate.transition === transition)?.problem
  return {
    transition: id,
    from,
    to,
    result: transitionOutcomeOf(transition, gate, context, shown.when, transitionContext),
    action: actionText(shown.act),
    when: shown.when,
    ...(problem !== undefined && { problem }),
    ...(at && { at }),
  }
}

/** A gate opens only if the condition is certain under every reading; it closes if any reading leaves a doubt. */
const quantifierFor = (to: GateState) => (to === 'open' ? 'all' : 'any')

const isTriggered = ({ to }: Transition, { truth }: ConditionTrace): boolean =>
  truth === 'true' || (truth === 'unknown' && to === 'closed')

const nearestTrace = (tried: readonly { readonly act: Action; readonly when: ConditionTrace }[]) => {
  const [first, ...rest] = tried
  if (!first) throw new Error('an event has at least one action')
  return rest.reduce(
    (best, item) => (unmetLeafCount(item.when, true) < unmetLeafCount(best.when, true) ? item : best),
    first,
  )
}

function transitionOutcomeOf(
  transition: Transition,
  gate: Gate,
  context: MatchContext,
  when: ConditionTrace,
  { evaluation, proposed, moved }: TransitionContext,
): TransitionOutcome {
  const own = proposed.find(candidate => candidate.gate === gate)
  if (own?.transition === transition)
    return own.problem !== undefined ? 'invalid' : moved.has(gate.id) ? 'moves' : 'prevented'
  if (transition.clock)
    return evaluation.clocked.some(move => move.gate === gate.id && move.to === transition.to) ? 'moves' : 'clock'
  if (!transition.events.includes(context.event.kind)) return 'event'
  if (!transition.from.includes(context.own?.state ?? 'open')) return 'state'
  if (!isTriggered(transition, when)) return isNearMiss(when) ? 'near' : 'no'
  if (transition.to === 'open' && isStaleAnswer(gate, context.event.began, context.own?.closed?.turn)) return 'late'
  const isLater = own !== undefined && gate.transitions.indexOf(own.transition) < gate.transitions.indexOf(transition)
  return isLater ? 'second' : 'spoilt'
}
