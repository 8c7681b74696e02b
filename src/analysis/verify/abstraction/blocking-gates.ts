import type { Gate, GateState, Rule, Transition } from '../../../engine/index.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { isRefusal } from '../system/agent-action.ts'
import { type Atom, atomsOf, gatesReadBy, rulesOf, triggerEventKinds } from './condition-atoms.ts'
import { favourableGateStates } from './cone-of-influence.ts'

/**
 * Does a closed state of this gate cause any refusal, directly or by keeping another gate in a blocking state? A gate that only
 * reminds or counts may stay closed.
 */
export const isBlockingGate = (inquiry: AnalysisContext, gate: Gate): boolean =>
  blockingStatesIn(inquiry).has(gateStateKey(gate.id, 'closed'))

const BLOCKING_STATES = new WeakMap<AnalysisContext, ReadonlySet<string>>()

/** Gate states in which something is refused, or in which another gate cannot leave such a state. */
function blockingStatesIn(inquiry: AnalysisContext): ReadonlySet<string> {
  const known = BLOCKING_STATES.get(inquiry)
  if (known) return known
  const { gates } = inquiry.program
  // gates in `warn` and `observe` count too: they may block later
  const hindering = new Set(gates.flatMap(one => refusingStatesOf(inquiry, one)))
  const waiting = gates.flatMap(one =>
    one.transitions.flatMap(step => {
      const needed = favourableGateStates(step.when, true)
      return needed.length > 0 ? [{ step, gate: one.id, needed }] : []
    }),
  )
  for (const state of hindering)
    for (const { step, gate, needed } of waiting)
      if (step.from.some(from => from !== step.to && state === gateStateKey(gate, from)))
        for (const [id, is] of needed) hindering.add(gateStateKey(id, oppositeState(is)))
  BLOCKING_STATES.set(inquiry, hindering)
  return hindering
}

const gateStateKey = (gate: string, state: GateState): string => `${gate} ${state}`
const oppositeState = (state: GateState): GateState => (state === 'open' ? 'closed' : 'open')

/** Gate states in which a rule of this gate refuses something that it allows in other states. */
function refusingStatesOf(inquiry: AnalysisContext, gate: Gate): readonly string[] {
  const inAny = (one: Gate): readonly string[] =>
    (['open', 'closed'] as const).map(state => gateStateKey(one.id, state))
  if (gate.code !== undefined) return inAny(gate)
  const refusing = rulesOf(gate).filter(rule => mayRuleRefuseAny(inquiry, rule))
  const isTimed = refusing.some(rule =>
    [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(atomsOf).some(isCounterAtom),
  )
  const captures = [gate, ...gatesReadBy(gate, inquiry.program)].filter(one =>
    one.transitions.some(step => step.capture),
  )
  return [
    // captures and counters change when the gate moves
    ...(isTimed ? inAny(gate) : []),
    ...(refusing.length > 0 ? captures.flatMap(inAny) : []),
    ...gate.transitions.flatMap(step =>
      isCaptureEnforced(step) ? step.from.map(state => gateStateKey(gate.id, state)) : [],
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
  transitions.some(step => step.to === state && triggerEventKinds(step).some(kind => events.includes(kind)))
    ? ['open', 'closed']
    : [state]

const isCounterAtom = ({ key }: Atom): boolean => key === 'since'

/** Does the transition refuse an answer that violates its schema? */
const isCaptureEnforced = ({ invalid }: Transition): boolean => invalid !== undefined && invalid.then !== 'warn'

const mayRuleRefuseAny = ({ profile }: AnalysisContext, { events, then, unsure }: Rule): boolean =>
  events.some(kind => profile.canRefuse(kind) && [then, unsure].some(says => isRefusal(says, kind, profile)))
