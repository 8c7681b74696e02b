import {
  type ConditionLeaf as Atom,
  actionsOf,
  leavesOf as atomsOf,
  type Condition,
  type Event,
  type EventKind,
  findRouteCandidates,
  type Gate,
  type Program,
  type Rule,
  type Transition,
} from '../../../engine/index.ts'

export { type ConditionLeaf as Atom, leavesOf as atomsOf } from '../../../engine/index.ts'

/** Does a condition ask whether a call succeeded? */
export const asksSuccess = (program: Program): boolean => atomsOfProgram(program).some(atom => atom.key === 'succeeded')

/** Caches a derived value for each gate. */
function memoizeByGate<T>(make: (gate: Gate) => T): (gate: Gate) => T {
  const known = new WeakMap<Gate, { readonly value: T }>()
  return gate => {
    const found = known.get(gate) ?? { value: make(gate) }
    known.set(gate, found)
    return found.value
  }
}

export const rulesOf = memoizeByGate((gate): readonly Rule[] => [...gate.rules, ...(gate.routes?.list ?? [])])

/** The rules that may match the event. In a long route table, the index finds the candidates. */
export function candidateRules(gate: Gate, event: Event): readonly Rule[] {
  const { rules, routes } = gate
  if (!routes || routes.list.length < MIN_INDEXED_ROUTES) return rulesOf(gate)
  const found = new Set(actionsOf(event).flatMap(act => findRouteCandidates(routes.index, act.url)))
  return [...rules, ...[...found].flatMap(at => routes.list[at] ?? [])]
}

const MIN_INDEXED_ROUTES = 10

/** Does a prompt close the gate? Then the turn in which an agent began matters. */
export const isClosedByPrompt = ({ transitions }: Gate): boolean =>
  transitions.some(transition => transition.to === 'closed' && triggerEventKinds(transition).includes('prompt.submit'))

const CALL_EVENTS: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.failed']
const AGENT_EVENTS: readonly EventKind[] = ['agent.start', 'agent.stop']

/** Event kinds for which an atom can be true, if the condition names no event. */
const EVENT_KINDS_BY_KEY: Readonly<Partial<Record<Atom['key'], readonly EventKind[]>>> = {
  ...{ prompt: ['prompt.submit'], source: ['prompt.submit'] },
  ...{ agent: [...AGENT_EVENTS, ...CALL_EVENTS], caller: [...AGENT_EVENTS, ...CALL_EVENTS] },
  // conditions on time and states are checked at every event; the exploration covers them with calls that only count
  ...{ gate: [], captured: [], since: [], env: [] },
}

/** Event kinds that can trigger the transition. A time-based transition is checked at every event, before rules are evaluated. */
export function triggerEventKinds(transition: Transition): readonly EventKind[] {
  if (!transition.clock) return transition.events
  const known = CLOCK_EVENT_KINDS.get(transition) ?? [
    ...new Set(atomsOf(transition.when).flatMap(({ key }) => EVENT_KINDS_BY_KEY[key] ?? CALL_EVENTS)),
  ]
  CLOCK_EVENT_KINDS.set(transition, known)
  return known
}

const CLOCK_EVENT_KINDS = new WeakMap<Transition, readonly EventKind[]>()

/** All conditions of a gate. */
export const conditionsOf = (gate: Gate): readonly Condition[] => [
  ...gate.transitions.map(transition => transition.when),
  ...rulesOf(gate).flatMap(rule => [rule.when, ...(rule.unless ? [rule.unless] : [])]),
  ...(gate.counts ? [gate.counts] : []),
]

export const atomsOfGate = memoizeByGate((gate): readonly Atom[] => conditionsOf(gate).flatMap(atomsOf))

export const atomsOfProgram = ({ gates }: Program): readonly Atom[] => gates.flatMap(atomsOfGate)

const STATE_DEPENDENCE = new WeakMap<Atom, boolean>()

/** Does the atom's value depend on earlier events? */
export function isStateDependent(atom: Atom): boolean {
  const known = STATE_DEPENDENCE.get(atom)
  if (known !== undefined) return known
  const is =
    atom.key === 'gate' ||
    atom.key === 'captured' ||
    atom.key === 'since' ||
    atom.key === 'file' ||
    templatesOf(atom).length > 0
  STATE_DEPENDENCE.set(atom, is)
  return is
}

/** Values that contain `{…}` placeholders for captures. */
export function templatesOf(atom: Atom): readonly string[] {
  const isTemplate = (text: string): boolean => /\{[a-zA-Z][\w./-]*\}/.test(text)
  if (atom.key === 'caller' || atom.key === 'tool' || atom.key === 'agent') return atom.in.filter(isTemplate)
  if (atom.key === 'path') return atom.in.map(pattern => pattern.glob).filter(glob => /\{[^{},]*\}/.test(glob))
  if (atom.key === 'command')
    return atom.in.flatMap(matcher =>
      'reading' in matcher ? [] : [matcher.program, ...matcher.words].filter(isTemplate),
    )
  if (atom.key === 'words') return atom.in.flatMap(word => ('like' in word && isTemplate(word.like) ? [word.like] : []))
  if (atom.key === 'prompt')
    return atom.in.flatMap(pattern => ('is' in pattern && isTemplate(pattern.is) ? [pattern.is] : []))
  if ('fields' in atom)
    return atom.fields.flatMap(({ in: wanted }) =>
      wanted.flatMap(pattern => ('is' in pattern && isTemplate(pattern.is) ? [pattern.is] : [])),
    )
  return []
}

/** Gates whose state or captures this gate's conditions read. */
export function gatesReadBy(gate: Gate, program: Program): readonly Gate[] {
  const names = atomsOfGate(gate).flatMap(atom => {
    if (atom.key === 'gate') return atom.states.map(state => `${state.gate}.`)
    if (atom.key === 'captured') return atom.fields.map(field => field.field)
    return templatesOf(atom).flatMap(text => [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))
  })
  const isMeant = (other: Gate): boolean =>
    names.some(name => name.startsWith(`${other.id}.`) || `${gate.layer}/${name}`.startsWith(`${other.id}.`))
  return program.gates.filter(other => other !== gate && isMeant(other))
}

export const isStatefulGate = (gate: Gate): boolean =>
  gate.initial !== undefined || atomsOfGate(gate).some(isStateDependent)

export const hasSuggestions = (gate: Gate): boolean => rulesOf(gate).some(rule => rule.suggest !== undefined)
