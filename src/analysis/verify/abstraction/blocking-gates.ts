import type { Gate, GateState, Rule, Transition } from '../../../engine/index.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import { isRefusal } from '../system/agent-action.ts'
import { type Atom, atomsOf, gatesReadBy, rulesOf, triggerEventKinds } from './condition-atoms.ts'
import { favourableGateStates } from './cone-of-influence.ts'

/**
 * Does anybody refuse anything because this gate is closed? One that only remembers, reminds or counts may stay closed: nobody waits
 * for it. A gate may also be in the way of another one that refuses something.
 */
export const isBlockingGate = (inquiry: AnalysisContext, gate: Gate): boolean =>
  blockingStatesIn(inquiry).has(gateStateKey(gate.id, 'closed'))

const BLOCKING_STATES = new WeakMap<AnalysisContext, ReadonlySet<string>>()

/** States of gates in which something is refused, or in which another gate cannot leave such a state. */
function blockingStatesIn(inquiry: AnalysisContext): ReadonlySet<string> {
  const known = BLOCKING_STATES.get(inquiry)
  if (known) return known
  const { gates } = inquiry.program
  // whether a gate blocks today does not matter: it is meant to one day
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

/** States of gates in which one of its rules refuses something that it does not refuse in others. */
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
    // what is captured or counted changes when the gate does
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

/** What moves the gate is judged as if it had moved it: a rule may refuse just that, and the gate then stays as it was. */
const statesSeenByRule = ({ transitions }: Gate, state: GateState, { events }: Rule): readonly GateState[] =>
  transitions.some(step => step.to === state && triggerEventKinds(step).some(kind => events.includes(kind)))
    ? ['open', 'closed']
    : [state]

const isCounterAtom = ({ key }: Atom): boolean => key === 'since'

/** It refuses an answer that has not the form it wants. */
const isCaptureEnforced = ({ invalid }: Transition): boolean => invalid !== undefined && invalid.then !== 'warn'

const mayRuleRefuseAny = ({ view }: AnalysisContext, { events, then, unsure }: Rule): boolean =>
  events.some(kind => view.refuses(kind) && [then, unsure].some(says => isRefusal(says, kind, view)))
