import type { Gate, Rule, Transition } from '../core/index.ts'
import type { GateState } from '../pattern/index.ts'
import { type Atom, atomsOf, kindsOf, lookedAt, rulesOf } from './atom.ts'
import { helping } from './cone.ts'
import { isRefusal } from './deed.ts'
import type { Inquiry } from './inquiry.ts'

/**
 * Does anybody refuse anything because this gate is closed? One that only remembers, reminds or counts may stay closed: nobody waits
 * for it. A gate may also be in the way of another one that refuses something.
 */
export const isHindrance = (inquiry: Inquiry, gate: Gate): boolean => hinderingIn(inquiry).has(keyOf(gate.id, 'closed'))

const HINDERING = new WeakMap<Inquiry, ReadonlySet<string>>()

/** States of gates in which something is refused, or in which another gate cannot leave such a state. */
function hinderingIn(inquiry: Inquiry): ReadonlySet<string> {
  const known = HINDERING.get(inquiry)
  if (known) return known
  const { gates } = inquiry.program
  // whether a gate blocks today does not matter: it is meant to one day
  const hindering = new Set(gates.flatMap(one => refusedIn(inquiry, one)))
  const waiting = gates.flatMap(one =>
    one.transitions.flatMap(step => {
      const needed = helping(step.when, true)
      return needed.length > 0 ? [{ step, gate: one.id, needed }] : []
    }),
  )
  for (const state of hindering)
    for (const { step, gate, needed } of waiting)
      if (step.from.some(from => from !== step.to && state === keyOf(gate, from)))
        for (const [id, is] of needed) hindering.add(keyOf(id, other(is)))
  HINDERING.set(inquiry, hindering)
  return hindering
}

const keyOf = (gate: string, state: GateState): string => `${gate} ${state}`
const other = (state: GateState): GateState => (state === 'open' ? 'closed' : 'open')

/** States of gates in which one of its rules refuses something that it does not refuse in others. */
function refusedIn(inquiry: Inquiry, gate: Gate): readonly string[] {
  const inAny = (one: Gate): readonly string[] => (['open', 'closed'] as const).map(state => keyOf(one.id, state))
  if (gate.code !== undefined) return inAny(gate)
  const refusing = rulesOf(gate).filter(rule => mayRefuse(inquiry, rule))
  const isTimed = refusing.some(rule =>
    [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(atomsOf).some(isSince),
  )
  const captures = [gate, ...lookedAt(gate, inquiry.program)].filter(one => one.transitions.some(step => step.capture))
  return [
    // what is captured or counted changes when the gate does
    ...(isTimed ? inAny(gate) : []),
    ...(refusing.length > 0 ? captures.flatMap(inAny) : []),
    ...gate.transitions.flatMap(step => (isStrict(step) ? step.from.map(state => keyOf(gate.id, state)) : [])),
    ...refusing.flatMap(rule => [
      ...(rule.while === undefined ? [] : statesOf(gate, rule.while, rule).map(state => keyOf(gate.id, state))),
      ...helping(rule.when, true).map(([id, state]) => keyOf(id, state)),
      ...(rule.unless ? helping(rule.unless, false).map(([id, state]) => keyOf(id, state)) : []),
    ]),
  ]
}

/** What moves the gate is judged as if it had moved it: a rule may refuse just that, and the gate then stays as it was. */
const statesOf = ({ transitions }: Gate, state: GateState, { events }: Rule): readonly GateState[] =>
  transitions.some(step => step.to === state && kindsOf(step).some(kind => events.includes(kind)))
    ? ['open', 'closed']
    : [state]

const isSince = ({ key }: Atom): boolean => key === 'since'

/** It refuses an answer that has not the form it wants. */
const isStrict = ({ invalid }: Transition): boolean => invalid !== undefined && invalid.then !== 'warn'

const mayRefuse = ({ view }: Inquiry, { events, then, unsure }: Rule): boolean =>
  events.some(kind => view.refuses(kind) && [then, unsure].some(says => isRefusal(says, kind, view)))
