import type { Event, Gate, Rule } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { DependencyGraph } from '../abstraction/cone-of-influence.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isCalledBy } from '../system/actor.ts'
import { type AgentAction, mayGateAsk, mayRuleRefuse, mayTriggerTransition } from '../system/agent-action.ts'
import { isUnreliableEnding, toCaller } from '../system/call-endings.ts'
import type { ClientProfile } from '../system/client-profile.ts'
import { AnswerFeasibility } from './answer-feasibility.ts'

/** An action from its beginning to the event that opens a gate. */
export interface OpeningAction {
  readonly deed: AgentAction
  /** the action of the agent that `deed` spawns */
  readonly then?: AgentAction
  /** the opening event, once for each possible caller */
  readonly opens: readonly Event[]
  /** the action's first event opens the gate, so the gate's rules see it open */
  readonly atOnce: boolean
  /** all events up to the opening, and the events that follow without a further action */
  readonly told: readonly Event[]
  /** the events that a gate can refuse */
  readonly asked: readonly Event[]
}

export interface StrategyOptions {
  readonly field: DependencyGraph
  readonly oracle: MayMustEvaluator
  readonly view: ClientProfile
  readonly agents: readonly string[]
  /** answers that may be captured */
  readonly answers: readonly Json[]
  /** counts an action that is tried; false: the bound is reached */
  mayTry(): boolean
}

/** Actions that may open a gate, the most promising first. */
export class OpeningActions {
  readonly #field: DependencyGraph
  readonly #oracle: MayMustEvaluator
  readonly #view: ClientProfile
  readonly #agents: readonly string[]
  readonly #answering: AnswerFeasibility
  readonly #known = new Map<Gate, readonly OpeningAction[]>()
  readonly #before = new Map<OpeningAction, Map<Event, readonly string[]>>()
  #kept: boolean | undefined
  #stops: ReadonlyMap<string, AgentAction> | undefined

  constructor(parts: StrategyOptions) {
    const { field, oracle, view, agents } = parts
    this.#field = field
    this.#oracle = oracle
    this.#view = view
    this.#agents = agents
    this.#answering = new AnswerFeasibility(parts)
  }

  of(gate: Gate): readonly OpeningAction[] {
    const known = this.#known.get(gate)
    if (known) return known
    const steps = gate.transitions.filter(one => one.to === 'open')
    const found = this.#field
      .movers(gate, 'open')
      .map(deed => ({ deed, rank: deed.by === 'main' ? 0 : deed.call ? 2 : 1 }))
      .sort((a, b) => a.rank - b.rank)
      .flatMap(({ deed }) =>
        deed.events
          .filter(event => event.kind !== 'permission.request' && !isUnreliableEnding(this.#view, event))
          .filter(event => steps.some(step => mayTriggerTransition(step, event, this.#oracle, deed.call?.approved)))
          .flatMap(event => this.#openerBy(deed, event)),
      )
    this.#known.set(gate, found)
    return found
  }

  #openerBy(deed: AgentAction, event: Event): readonly OpeningAction[] {
    const [first] = deed.events
    if (!first) return []
    if (deed.by !== 'main' && deed.call) return this.#openersInFlight(deed, event)
    if (deed.by !== 'main' || deed.spawns !== undefined) return this.#openersByAgent(deed, event)
    const atOnce = event === first
    // an `ask` delays the transition or prevents it
    if (atOnce && this.#mayAsk(first, deed)) return []
    const opens = this.callers(event, deed)
    const asked = this.callers(first, deed)
    return [{ deed, opens, atOnce, asked, told: atOnce ? asked : [...asked, ...opens] }]
  }

  /** An agent is spawned and stops, and the spawning call ends. Requires that no gate can keep a live agent from ending. */
  #openersByAgent(deed: AgentAction, event: Event): readonly OpeningAction[] {
    // with one live agent the caller is known
    if (this.isAnybody || event.caller.kind === 'unknown') return []
    const { deeds } = this.#field
    const stops = deeds.filter(one => one.events[0]?.kind === 'agent.stop')
    if (this.isKept) return []
    const agent = deed.spawns ?? deed.by
    const stop = stops.find(one => one.by === agent)?.events ?? []
    return deeds
      .filter(one => (deed.spawns === undefined ? one.by === 'main' && one.spawns === agent : one === deed))
      .flatMap(spawn => {
        const [first, ...ends] = spawn.events
        if (!first || this.#mayAsk(first, spawn)) return []
        const starts = ends.filter(({ kind }) => kind === 'agent.start')
        const asked = [first, ...starts, ...stop.filter(({ kind }) => kind === 'agent.stop')]
        return [{ deed: spawn, opens: [event], atOnce: event === first, asked, told: [first, ...stop, ...ends] }]
      })
  }

  /** An agent is spawned and makes the call. Agents that are live already end first. */
  #openersInFlight(deed: AgentAction, event: Event): readonly OpeningAction[] {
    // with one live agent the caller is known
    if (event.caller.kind === 'unknown' || deed.call?.approved) return []
    const { deeds } = this.#field
    const [begins] = deed.events
    if (!begins || this.#mayAsk(begins, deed) || this.isKept) return []
    return deeds
      .filter(one => one.by === 'main' && one.spawns === deed.by && !one.call?.approved)
      .flatMap(spawn => {
        const [first, ...ends] = spawn.events
        if (!first || this.#mayAsk(first, spawn)) return []
        const started = [first, ...ends.filter(({ kind }) => kind === 'agent.start')]
        const told = [...started, begins, ...(event === begins ? [] : [event])]
        return [{ deed: spawn, then: deed, opens: [event], atOnce: false, asked: [...started, begins], told }]
      })
  }

  /** Actions by which a live agent opens the gate itself; `as`: the caller that the client reports. */
  own(gate: Gate, who: string, as = who): readonly OpeningAction[] {
    const steps = gate.transitions.filter(one => one.to === 'open')
    return this.#field
      .movers(gate, 'open')
      .filter(deed => deed.by === who && deed.call && !deed.call.approved)
      .flatMap(deed =>
        deed.events
          .filter(
            event =>
              event.kind !== 'permission.request' && isCalledBy(event, as) && !isUnreliableEnding(this.#view, event),
          )
          .filter(event => steps.some(step => mayTriggerTransition(step, event, this.#oracle)))
          .flatMap(event => this.ownBy(deed, event, as)),
      )
  }

  ownBy(deed: AgentAction, event: Event, as = deed.by): readonly OpeningAction[] {
    const first = deed.events.find(one => one.kind === 'tool.before' && isCalledBy(one, as))
    if (!first || this.#mayAsk(first, deed)) return []
    const atOnce = event === first
    return [{ deed, opens: [event], atOnce, asked: [first], told: atOnce ? [first] : [first, event] }]
  }

  /** Events at the end of the agent that this action spawns. */
  endsOf({ spawns, events }: AgentAction): readonly Event[] {
    this.#stops ??= new Map(
      this.#field.deeds.flatMap(one => (one.events[0]?.kind === 'agent.stop' ? [[one.by, one] as const] : [])),
    )
    const stop = this.#stops.get(spawns ?? '')
    return [...(stop?.events ?? []), ...events].filter(({ kind }) => kind !== 'tool.before' && kind !== 'agent.start')
  }

  /** Ids of gates that earlier events of the opening action may close. */
  closedBefore(event: Event, opener: OpeningAction): readonly string[] {
    const each = this.#before.get(opener) ?? new Map<Event, readonly string[]>()
    this.#before.set(opener, each)
    const found = each.get(event) ?? this.#closing(event, opener)
    each.set(event, found)
    return found
  }

  #closing(event: Event, { told, deed }: OpeningAction): readonly string[] {
    const first = told.slice(0, Math.max(0, told.indexOf(event)))
    const earlier = first.filter(one => one.kind !== event.kind || one.call !== event.call)
    const mayClose = ({ transitions }: Gate): boolean =>
      transitions.some(
        step =>
          step.to === 'closed' &&
          earlier.some(one => mayTriggerTransition(step, one, this.#oracle, deed.call?.approved)),
      )
    return this.#field.program.gates.filter(mayClose).map(gate => gate.id)
  }

  #mayAsk(event: Event, { call }: AgentAction): boolean {
    return (
      this.#view.asks(event.kind) &&
      this.#field.program.gates.some(gate => mayGateAsk(gate, event, this.#oracle, call?.approved))
    )
  }

  /** With inferred callers, any live agent may be taken for the caller, unless all agents can end first. */
  callers(event: Event, { by }: AgentAction): readonly Event[] {
    if (by !== 'main' || !this.isAnybody) return [event]
    const others = this.#agents.map(toCaller)
    return [event, ...[UNKNOWN_CALLER, ...others].map(caller => ({ ...event, caller }))]
  }

  get isAnybody(): boolean {
    return this.#view.inferred && this.isKept
  }

  /** May a gate keep a live agent from ending? */
  get isKept(): boolean {
    this.#kept ??= this.#field.deeds.some(({ events: [stop] }) => stop?.kind === 'agent.stop' && this.#mayBeKept(stop))
    return this.#kept
  }

  #mayBeKept(stop: Event): boolean {
    const told = this.#view.inferred ? [stop, { ...stop, caller: UNKNOWN_CALLER }] : [stop]
    const { gates } = this.#field.program
    if (this.#view.refuses(stop.kind) && !this.#answering.isPossible(told)) return true
    return gates.some(
      gate =>
        gate.mode === 'block' &&
        this.#view.refuses(stop.kind) &&
        rulesOf(gate).some(rule =>
          told.some(
            event =>
              mayRuleRefuse(rule, event, this.#oracle, this.#view) &&
              !hasExhaustibleLimit(rule, gate, event, this.#oracle),
          ),
        ),
    )
  }
}

/** A rule with a limit stops refusing after enough retries, unless the retried event moves the gate, which resets the count. */
export const hasExhaustibleLimit = (
  rule: Rule,
  gate: Gate,
  event: Event,
  oracle: MayMustEvaluator,
  approved = false,
): boolean =>
  rule.limit !== undefined &&
  gate.rules.includes(rule) &&
  !gate.transitions.some(one => mayTriggerTransition(one, event, oracle, approved))

const UNKNOWN_CALLER: Event['caller'] = { kind: 'unknown' }
