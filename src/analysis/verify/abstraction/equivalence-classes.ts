import {
  type Action,
  actionsOf,
  type Condition,
  type Event,
  findRouteCandidates,
  type Gate,
  type Quantifier,
  type RouteIndex,
  type Rule,
  suggestionText,
} from '../../../engine/index.ts'
import { toCaller } from '../system/call-endings.ts'
import { type Atom, atomsOfGate, isStateDependent, rulesOf, triggerEventKinds } from './condition-atoms.ts'
import type { MayMustEvaluator } from './may-must-evaluator.ts'
import type { SampleCall } from './residual-condition.ts'
import { ResidualConditions } from './residual-condition.ts'

interface QuantifiedCondition {
  readonly condition: Condition
  readonly quantifier: Quantifier
  /** present if the rule's suggestion is built from the call */
  readonly suggestCalls?: (call: SampleCall) => readonly SampleCall[]
}

interface RouteConditions {
  readonly index: RouteIndex
  readonly conditions: readonly (readonly QuantifiedCondition[])[]
}

/** The calls that a rule suggests instead of a call. */
export type SuggestionLookup = (rule: Rule, gate: Gate, call: SampleCall) => readonly SampleCall[]

/** Symmetry reduction: equivalence classes of calls and of agent types that these gates cannot distinguish. */
export class EquivalenceClasses {
  readonly #conditions: readonly QuantifiedCondition[]
  readonly #routeTables: readonly RouteConditions[]
  readonly #residuals: ResidualConditions
  readonly #agentAtoms: readonly Atom[]
  readonly #distinguishesNames: boolean
  /** set if gates have per-agent state, name agent events or may refuse prompts: then spawns form classes of their own */
  readonly #spawnPrefix: string
  readonly #mayMust: MayMustEvaluator
  readonly #classesOfCalls = new Map<SampleCall, string>()
  readonly #classesOfAgents = new Map<string, string>()

  constructor(gates: Iterable<Gate>, mayMust: MayMustEvaluator, advise?: SuggestionLookup) {
    const all = [...gates]
    const atoms = [...new Set(all.flatMap(atomsOfGate).map(atom => mayMust.canonicalAtom(atom)))]
    this.#mayMust = mayMust
    this.#conditions = all.flatMap(gate => quantifiedConditionsOf(gate, advise))
    this.#routeTables = all.flatMap(gate => routeConditionsOf(gate, advise))
    this.#residuals = new ResidualConditions(mayMust)
    const named = atoms.filter(atom => atom.key === 'agent' || atom.key === 'caller')
    this.#agentAtoms = named.filter(atom => !isStateDependent(atom))
    this.#distinguishesNames = named.some(isStateDependent)
    this.#spawnPrefix = all.some(gate => gate.scope === 'agent' || hasAgentEvents(gate) || mayRefusePrompts(gate))
      ? 'spawns '
      : ''
  }

  classOfCall(call: SampleCall): string {
    const known = this.#classesOfCalls.get(call)
    if (known !== undefined) return known
    const { beforeEvent, isApproved, isAttested, spawns } = call
    const acts = actionsOf(beforeEvent).map(act => this.#classOfAction(act, call, true))
    const started = spawns === undefined ? '' : `${this.#spawnPrefix}${this.classOfAgent(spawns)}`
    const key = [isApproved, isAttested, started, [...new Set(acts)].sort().join(';')].join('|')
    this.#classesOfCalls.set(call, key)
    return key
  }

  /** `advised`: calls with different suggestions are in different classes. */
  #classOfAction(act: Action, call: SampleCall, advised: boolean): string {
    let key = ''
    const answer = (question: QuantifiedCondition, name: string): void => {
      const { condition, quantifier, suggestCalls } = question
      const residue = this.#residuals.of(condition, act, call, quantifier)
      if (residue === 'F') return
      const next = advised && suggestCalls ? suggestCalls(call).map(call => this.#classWithoutSuggestions(call)) : []
      key += `${name}${residue}${next.length > 0 ? `>${next.join('>')}` : ''},`
    }
    for (const [at, question] of this.#conditions.entries()) answer(question, `${at}`)
    // the engine evaluates only the routes that the index finds, so only these can distinguish calls
    for (const [nth, { index, conditions }] of this.#routeTables.entries())
      for (const at of findRouteCandidates(index, act.url))
        for (const question of conditions[at] ?? []) answer(question, `r${nth}.${at}`)
    return key
  }

  #classWithoutSuggestions(call: SampleCall): string {
    return actionsOf(call.beforeEvent)
      .map(act => this.#classOfAction(act, call, false))
      .join(';')
  }

  classOfAgent(type: string): string {
    if (type === 'main') return type
    const known = this.#classesOfAgents.get(type)
    if (known !== undefined) return known
    const event: Event = { ...AGENT_STOP_EVENT, caller: toCaller(type), agent: type }
    const act = { action: 'other' } as const
    const answers = this.#agentAtoms.map(atom => this.#mayMust.truthSetOf(atom, act, event, 'any'))
    const key = `${answers.join()}${this.#distinguishesNames ? type : ''}`
    this.#classesOfAgents.set(type, key)
    return key
  }
}

/** Equivalence classes by set of gates; they do not depend on the client. */
export class EquivalenceClassCache {
  readonly #mayMust: MayMustEvaluator
  readonly #lookUpSuggestions: SuggestionLookup
  readonly #cache = new Map<string, EquivalenceClasses>()

  constructor(mayMust: MayMustEvaluator, advise: SuggestionLookup) {
    this.#mayMust = mayMust
    this.#lookUpSuggestions = advise
  }

  /** `plain`: calls with different suggestions may share a class. */
  of(gates: Iterable<Gate>, { plain = false } = {}): EquivalenceClasses {
    const all = [...gates]
    const key = `${plain} ${all.map(gate => gate.id).join()}`
    const found =
      this.#cache.get(key) ?? new EquivalenceClasses(all, this.#mayMust, plain ? undefined : this.#lookUpSuggestions)
    this.#cache.set(key, found)
    return found
  }
}

const hasAgentEvents = (gate: Gate): boolean =>
  [...gate.transitions.flatMap(triggerEventKinds), ...rulesOf(gate).flatMap(rule => rule.events)].some(
    kind => kind === 'agent.start' || kind === 'agent.stop',
  )

/** If prompts can be refused, a subagent may work while the main agent waits. */
const mayRefusePrompts = (gate: Gate): boolean =>
  rulesOf(gate).some(
    ({ events, then, unsure }) => events.includes('prompt.submit') && [then, unsure].some(one => one !== 'warn'),
  )

/** Every condition of a gate with its quantifier over actions. */
const quantifiedConditionsOf = (gate: Gate, advise: SuggestionLookup | undefined): readonly QuantifiedCondition[] => [
  ...gate.transitions.map(({ when, to }) => quantify(when, to === 'open' ? 'all' : 'any')),
  ...gate.rules.flatMap(rule => ruleConditionsOf(rule, gate, advise)),
  ...(gate.counts ? [quantify(gate.counts, 'any')] : []),
]

/** The same for the gate's routes, by index in the route table. */
const routeConditionsOf = (gate: Gate, advise: SuggestionLookup | undefined): readonly RouteConditions[] =>
  gate.routes
    ? [{ index: gate.routes.index, conditions: gate.routes.list.map(route => ruleConditionsOf(route, gate, advise)) }]
    : []

function ruleConditionsOf(
  rule: Rule,
  gate: Gate,
  advise: SuggestionLookup | undefined,
): readonly QuantifiedCondition[] {
  const { when, unless, then } = rule
  const advises = advise && isSuggestionFromCall(rule) ? (call: SampleCall) => advise(rule, gate, call) : undefined
  const question = quantify(when, then === 'allow' ? 'all' : 'any')
  return [advises ? { ...question, suggestCalls: advises } : question, ...(unless ? [quantify(unless, 'all')] : [])]
}

const quantify = (condition: Condition, quantifier: Quantifier): QuantifiedCondition => ({
  condition,
  quantifier,
})

const isSuggestionFromCall = ({ suggest }: Rule): boolean =>
  suggest !== undefined && suggestionText(suggest, '').includes('{')

const AGENT_STOP_EVENT: Event = {
  kind: 'agent.stop',
  client: 'proof',
  name: 'stops',
  session: 'proof',
  caller: { kind: 'main' },
}

/** The first item of each class represents the class. */
export function representativesOf<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const found = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (!found.has(key)) found.set(key, item)
  }
  return [...found.values()]
}
