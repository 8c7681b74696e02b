import { type Act, actsOf, type Event, type Gate, type Rule } from '../core/index.ts'
import { type Condition, findRoutes, type Reading, type RouteIndex, suggestText } from '../pattern/index.ts'
import { type Atom, atomsOfGate, isAboutState, kindsOf, rulesOf } from './atom.ts'
import type { Call } from './call.ts'
import type { Oracle } from './possible.ts'
import { Residues } from './residue.ts'
import { callerOf } from './telling.ts'

interface Question {
  readonly condition: Condition
  readonly reading: Reading
  /** of a rule that suggests something made of the call */
  readonly advises?: (call: Call) => readonly Call[]
}

interface RouteQuestions {
  readonly index: RouteIndex
  readonly questions: readonly (readonly Question[])[]
}

/** What a rule suggests to whoever makes the call. */
export type Adviser = (rule: Rule, gate: Gate, call: Call) => readonly Call[]

/** Which calls and which agents these gates cannot tell apart. */
export class Likeness {
  readonly #questions: readonly Question[]
  readonly #tables: readonly RouteQuestions[]
  readonly #residues: Residues
  readonly #agents: readonly Atom[]
  readonly #byName: boolean
  /** an agent has a memory of its own, or somebody speaks of its beginning or its end, or refuses prompts: then its spawn is like no other call */
  readonly #apart: string
  readonly #oracle: Oracle
  readonly #calls = new Map<Call, string>()
  readonly #types = new Map<string, string>()

  constructor(gates: Iterable<Gate>, oracle: Oracle, advise?: Adviser) {
    const all = [...gates]
    const atoms = [...new Set(all.flatMap(atomsOfGate).map(atom => oracle.same(atom)))]
    this.#oracle = oracle
    this.#questions = all.flatMap(gate => questionsOf(gate, advise))
    this.#tables = all.flatMap(gate => routeQuestions(gate, advise))
    this.#residues = new Residues(oracle)
    const named = atoms.filter(atom => atom.key === 'agent' || atom.key === 'caller')
    this.#agents = named.filter(atom => !isAboutState(atom))
    this.#byName = named.some(isAboutState)
    this.#apart = all.some(gate => gate.scope === 'agent' || speaksOfAgents(gate) || refusesPrompts(gate))
      ? 'spawns '
      : ''
  }

  ofCall(call: Call): string {
    const known = this.#calls.get(call)
    if (known !== undefined) return known
    const { before, approved, witnessed, spawns } = call
    const acts = actsOf(before).map(act => this.#ofAct(act, call, true))
    const started = spawns === undefined ? '' : `${this.#apart}${this.ofAgent(spawns)}`
    const key = [approved, witnessed, started, [...new Set(acts)].sort().join(';')].join('|')
    this.#calls.set(call, key)
    return key
  }

  /** `advised`: calls to which different things are suggested are not alike. */
  #ofAct(act: Act, call: Call, advised: boolean): string {
    let key = ''
    const answer = (question: Question, name: string): void => {
      const { condition, reading, advises } = question
      const residue = this.#residues.of(condition, act, call, reading)
      if (residue === 'F') return
      const next = advised && advises ? advises(call).map(one => this.#plain(one)) : []
      key += `${name}${residue}${next.length > 0 ? `>${next.join('>')}` : ''},`
    }
    for (const [at, question] of this.#questions.entries()) answer(question, `${at}`)
    // of a long table the engine itself asks only those that its index finds
    for (const [nth, { index, questions }] of this.#tables.entries())
      for (const at of findRoutes(index, act.url))
        for (const question of questions[at] ?? []) answer(question, `r${nth}.${at}`)
    return key
  }

  #plain(call: Call): string {
    return actsOf(call.before)
      .map(act => this.#ofAct(act, call, false))
      .join(';')
  }

  ofAgent(type: string): string {
    if (type === 'main') return type
    const known = this.#types.get(type)
    if (known !== undefined) return known
    const event: Event = { ...STOP, caller: callerOf(type), agent: type }
    const act = { action: 'other' } as const
    const answers = this.#agents.map(atom => this.#oracle.answers(atom, act, event, 'any'))
    const key = `${answers.join()}${this.#byName ? type : ''}`
    this.#types.set(type, key)
    return key
  }
}

/** Of the same gates it is the same on every kind of client. */
export class Likenesses {
  readonly #oracle: Oracle
  readonly #advise: Adviser
  readonly #known = new Map<string, Likeness>()

  constructor(oracle: Oracle, advise: Adviser) {
    this.#oracle = oracle
    this.#advise = advise
  }

  /** `plain`: calls to which different things are suggested may be alike. */
  of(gates: Iterable<Gate>, { plain = false } = {}): Likeness {
    const all = [...gates]
    const key = `${plain} ${all.map(gate => gate.id).join()}`
    const found = this.#known.get(key) ?? new Likeness(all, this.#oracle, plain ? undefined : this.#advise)
    this.#known.set(key, found)
    return found
  }
}

const speaksOfAgents = (gate: Gate): boolean =>
  [...gate.transitions.flatMap(kindsOf), ...rulesOf(gate).flatMap(one => one.events)].some(
    kind => kind === 'agent.start' || kind === 'agent.stop',
  )

/** Then an agent may be at work while nobody else is. */
const refusesPrompts = (gate: Gate): boolean =>
  rulesOf(gate).some(
    ({ events, then, unsure }) => events.includes('prompt.submit') && [then, unsure].some(one => one !== 'warn'),
  )

/** Every condition with the reading in which it is asked. */
const questionsOf = (gate: Gate, advise: Adviser | undefined): readonly Question[] => [
  ...gate.transitions.map(({ when, to }) => asked(when, to === 'open' ? 'all' : 'any')),
  ...gate.rules.flatMap(rule => questionsOfRule(rule, gate, advise)),
  ...(gate.counts ? [asked(gate.counts, 'any')] : []),
]

/** The same for the routes of a gate, by their place in its table. */
const routeQuestions = (gate: Gate, advise: Adviser | undefined): readonly RouteQuestions[] =>
  gate.routes
    ? [{ index: gate.routes.index, questions: gate.routes.list.map(route => questionsOfRule(route, gate, advise)) }]
    : []

function questionsOfRule(rule: Rule, gate: Gate, advise: Adviser | undefined): readonly Question[] {
  const { when, unless, then } = rule
  const advises = advise && isMadeOfCall(rule) ? (call: Call) => advise(rule, gate, call) : undefined
  const question = asked(when, then === 'allow' ? 'all' : 'any')
  return [advises ? { ...question, advises } : question, ...(unless ? [asked(unless, 'all')] : [])]
}

const asked = (condition: Condition, reading: Reading): Question => ({ condition, reading })

const isMadeOfCall = ({ suggest }: Rule): boolean => suggest !== undefined && suggestText(suggest, '').includes('{')

const STOP: Event = { kind: 'agent.stop', client: 'proof', name: 'stops', session: 'proof', caller: { kind: 'main' } }

/** One of each kind; the first is the one that stands for the others. */
export function oneOfEach<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const found = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (!found.has(key)) found.set(key, item)
  }
  return [...found.values()]
}
