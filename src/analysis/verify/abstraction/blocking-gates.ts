import type { Gate, GateState, Rule, Transition } from '../../../engine/index.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { isRefusal } from '../system/agent-action.ts'
import { type Atom, atomsOf, gatesReadBy, rulesOf, triggerEventKinds } from './condition-atoms.ts'
import { favourableGateStates } from './favourable-states.ts'

/**
 * Does a closed state of this gate cause any refusal, directly or by keeping another gate in a blocking state? A gate that only
 * reminds or counts may stay closed.
 */
export const isBlockingGate = (context: AnalysisContext, gate: Gate): boolean =>
  blockingStatesIn(context).has(gateStateKey(gate.id, 'closed'))

const BLOCKING_STATES = new WeakMap<AnalysisContext, ReadonlySet<string>>()

/** Gate states in which something is refused, or in which another gate cannot leave such a state. */
function blockingStatesIn(context: AnalysisContext): ReadonlySet<string> {
  const known = BLOCKING_STATES.get(context)
  if (known) return known
  const { gates } = context.program
  // gates in `warn` and `observe` count too: they may block later
  const blocking = new Set(gates.flatMap(gate => refusingStatesOf(context, gate)))
  const waiting = gates.flatMap(gate =>
    gate.transitions.flatMap(transition => {
      const needed = favourableGateStates(transition.when, true)
      return needed.length > 0 ? [{ step: transition, gate: gate.id, needed }] : []
    }),
  )
  for (const state of blocking)
    for (const { step: transition, gate, needed } of waiting)
      if (transition.from.some(from => from !== transition.to && state === gateStateKey(gate, from)))
        for (const [id, is] of needed) blocking.add(gateStateKey(id, oppositeState(is)))
  BLOCKING_STATES.set(context, blocking)
  return blocking
}

const gateStateKey = (gate: string, state: GateState): string => `${gate} ${state}`
const oppositeState = (state: GateState): GateState => (state === 'open' ? 'closed' : 'open')

/** Gate states in which a rule of this gate refuses something that it allows in other states. */
function refusingStatesOf(context: AnalysisContext, gate: Gate): readonly string[] {
  const inAny = (gate: Gate): readonly string[] =>
    (['open', 'closed'] as const).map(state => gateStateKey(gate.id, state))
  if (gate.code !== undefined) return inAny(gate)
  const refusing = rulesOf(gate).filter(rule => mayRuleRefuseAny(context, rule) && !isSoonExhausted(gate, rule))
  const isTimed = refusing.some(rule =>
    [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(atomsOf).some(isCounterAtom),
  )
  const captures = [gate, ...gatesReadBy(gate, context.program)].filter(gate =>
    gate.transitions.some(transition => transition.capture),
  )
  return [
    // captures and counters change when the gate moves
    ...(isTimed ? inAny(gate) : []),
    ...(refusing.length > 0 ? captures.flatMap(inAny) : []),
    ...gate.transitions.flatMap(transition =>
      isCaptureEnforced(transition) ? transition.from.map(state => gateStateKey(gate.id, state)) : [],
    ),
    ...refusing.flatMap(rule => [
      ...(rule.while === undefined
        ? []
        : statesSeenByRule(gate, rule.while, rule).map(state => gateStateKey(gate.id, state))),
      ...favourableGateStates(rule.when, true).map(([id, state]) => gateStateKey(id, state)),
      ...(rule.unless ? favourableGateStates(rule.unless, false).map(([id, state]) => gateStateKey(id, state)) : []),
    ]),
  ]
}

/** An event that moves the gate is evaluated in the new state. A rule may refuse that event, and then the gate does not move. */
const statesSeenByRule = ({ transitions }: Gate, state: GateState, { events }: Rule): readonly GateState[] =>
  transitions.some(
    transition => transition.to === state && triggerEventKinds(transition).some(kind => events.includes(kind)),
  )
    ? ['open', 'closed']
    : [state]

/** After so many refusals the rule lets everything pass until the gate moves. A move into the same state resets the count. */
const isSoonExhausted = ({ transitions }: Gate, { limit, while: state }: Rule): boolean =>
  limit !== undefined && state !== undefined && !transitions.some(({ from, to }) => to === state && from.includes(to))

const isCounterAtom = ({ key }: Atom): boolean => key === 'since'

/** Does the transition refuse an answer that violates its schema? */
const isCaptureEnforced = ({ invalid }: Transition): boolean => invalid !== undefined && invalid.then !== 'warn'

const mayRuleRefuseAny = ({ profile }: AnalysisContext, { events, then, unsure }: Rule): boolean =>
  events.some(kind => profile.canRefuse(kind) && [then, unsure].some(decision => isRefusal(decision, kind, profile)))
