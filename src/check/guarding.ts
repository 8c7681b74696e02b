import { actsOf, type Event, type Gate, type Program, type Rule, type Transition } from '../core/index.ts'
import type { GateState } from '../pattern/index.ts'
import { rulesFor } from './atom.ts'
import { type Field, helping } from './cone.ts'
import { type Deed, isRefusal, isSure, mayHappen, refusable } from './deed.ts'
import { type Oracle, TRUE, UNKNOWN } from './possible.ts'
import { isChance } from './telling.ts'
import type { View } from './view.ts'

/** All that depends on states, and that an agent can wait for. */
export const isBarring = (rule: Rule, gate: Gate, deed: Deed, asked: Asked & { readonly field: Field }): boolean =>
  waitsForOpen(rule, gate, deed, asked) || waitsForClosed(rule, gate, deed, asked)

interface Asked {
  readonly oracle: Oracle
  readonly view: View
}

/** Does the rule keep silent about the deed once a gate is open? All else that it may refuse is not the gate's matter. */
export const waitsForOpen = (rule: Rule, gate: Gate, deed: Deed, asked: Asked): boolean =>
  (isShut(rule, gate) || speaksOfShut(rule)) && !isAlwaysRefused(rule, gate, deed, asked)

/**
 * Does it refuse the deed only where a gate is open that an agent, or time, closes again? What stays open for good, or until a person
 * says otherwise, may be meant to refuse it for good.
 */
export function waitsForClosed(
  rule: Rule,
  gate: Gate,
  deed: Deed,
  { field, ...asked }: Asked & { readonly field: Field },
): boolean {
  const wanted = silencedBy(rule, gate).filter(([, state]) => state === 'closed')
  const gates = field.program.gates.filter(one => wanted.some(([id]) => id === one.id))
  return (
    gates.length > 0 &&
    gates.every(one => isClosedAgain(one, field, asked)) &&
    !isAlwaysRefused(rule, gate, deed, asked)
  )
}

/** States of gates in which it keeps silent. */
const silencedBy = ({ when, unless, while: state }: Rule, gate: Gate): readonly (readonly [string, GateState])[] => [
  ...helping(when, false),
  ...(unless ? helping(unless, true) : []),
  ...(state === 'open' && gate.initial !== undefined ? [[gate.id, 'closed'] as const] : []),
]

function isClosedAgain(gate: Gate, field: Field, asked: Asked): boolean {
  const closing = gate.transitions.filter(one => one.to === 'closed' && one.from.includes('open'))
  const isOfAgents = ({ clock, events }: Transition): boolean => clock || events.every(kind => DONE_BY_AGENTS.has(kind))
  if (closing.length === 0 || !closing.every(isOfAgents)) return false
  return (
    closing.some(one => one.clock) ||
    field
      .movers(gate, 'closed')
      .some(deed => !isNeverPermitted(deed, field.program, asked) && isClosedBy(gate, deed, asked))
  )
}

/** Not by chance, and no transition before it in the list surely happens in its place: the first one that matches is taken. */
function isClosedBy({ transitions }: Gate, { events, call }: Deed, { oracle, view }: Asked): boolean {
  const steps = transitions.filter(({ clock, from }) => !clock && from.includes('open'))
  return events.some(event => {
    if (isChance(view, event)) return false
    const first = steps.findIndex(
      one =>
        one.to === 'open' && one.events.includes(event.kind) && isSure(one, event, oracle, call?.approved ?? false),
    )
    const before = first < 0 ? steps : steps.slice(0, first)
    return before.some(one => one.to === 'closed' && mayHappen(one, event, oracle, call?.approved))
  })
}

/** Is it refused whatever the states are? */
export const isNeverPermitted = (deed: Deed, program: Program, asked: Asked): boolean =>
  refusable(deed).some(event => alwaysRefusing(event, program, asked, deed.call?.approved) !== undefined)

const DONE_BY_AGENTS: ReadonlySet<string> = new Set(['tool.before', 'tool.after', 'tool.failed', 'agent.stop'])

const isShut = (rule: Rule, gate: Gate): boolean => rule.while === 'closed' && gate.initial !== undefined

/** It asks whether a gate is open, and keeps silent then. */
export const speaksOfShut = ({ when, unless }: Rule): boolean =>
  [...helping(when, false), ...(unless ? helping(unless, true) : [])].some(([, state]) => state === 'open')

/** Of all that a rule says, act by act, something may depend on no state: `any: [{ command: rm }, { gate: { tests: closed } }]`. */
const isAlwaysRefused = (rule: Rule, gate: Gate, deed: Deed, asked: Asked): boolean =>
  refusable(deed).some(event => refusesAlways(rule, gate, event, asked, deed.call?.approved))

/** Does it refuse the event in every state? */
function refusesAlways(rule: Rule, gate: Gate, event: Event, { oracle, view }: Asked, approved = false): boolean {
  if ((rule.while !== undefined && gate.initial !== undefined) || rule.limit !== undefined) return false
  const refusing = [
    ...(isRefusal(rule.then, event.kind, view) ? [TRUE] : []),
    ...(isRefusal(rule.unsure, event.kind, view) ? [UNKNOWN] : []),
  ]
  if (!rule.events.includes(event.kind)) return false
  return actsOf(event).some(
    act =>
      refusing.includes(oracle.answers(rule.when, act, event, 'any', approved)) &&
      !(rule.unless && (oracle.answers(rule.unless, act, event, 'all', approved) & TRUE) !== 0),
  )
}

/** Is it refused for as long as the gate is closed, by the gate itself? */
export const isKeptBy = (gate: Gate, deed: Deed, asked: Asked): boolean =>
  gate.mode === 'block' &&
  refusable(deed).some(event =>
    gate.rules.some(
      ({ while: state, ...rule }) =>
        state === 'closed' &&
        asked.view.refuses(event.kind) &&
        refusesAlways(rule, gate, event, asked, deed.call?.approved),
    ),
  )

/** The rule that refuses the event whatever the states are, and its gate. */
export function alwaysRefusing(
  event: Event,
  { gates }: Program,
  asked: Asked,
  approved = false,
): { readonly gate: Gate; readonly rule: Rule } | undefined {
  if (!asked.view.refuses(event.kind)) return undefined
  for (const gate of gates)
    for (const rule of gate.mode === 'block' ? rulesFor(gate, event) : [])
      if (refusesAlways(rule, gate, event, asked, approved)) return { gate, rule }
  return undefined
}
