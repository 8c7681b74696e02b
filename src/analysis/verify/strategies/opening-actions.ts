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
  readonly action: AgentAction
  /** the action of the agent that `action` spawns */
  readonly delegatedAction?: AgentAction
  /** the opening event, once for each possible caller */
  readonly openingEvents: readonly Event[]
  /** the action's first event opens the gate, so the gate's rules see it open */
  readonly opensAtBegin: boolean
  /** all events up to the opening, and the events that follow without a further action */
  readonly events: readonly Event[]
  /** the events that a gate can refuse */
  readonly refusable: readonly Event[]
}

export interface StrategyOptions {
  readonly dependencies: DependencyGraph
  readonly mayMust: MayMustEvaluator
  readonly profile: ClientProfile
  readonly agents: readonly string[]
  /** answers that may be captured */
  readonly answers: readonly Json[]
  /** counts an action that is tried; false: the bound is reached */
  chargeAttempt(): boolean
}

/** Actions that may open a gate, the most promising first. */
export class OpeningActions {
  readonly #dependencies: DependencyGraph
  readonly #mayMust: MayMustEvaluator
  readonly #profile: ClientProfile
  readonly #agents: readonly string[]
  readonly #answers: AnswerFeasibility
  readonly #cache = new Map<Gate, readonly OpeningAction[]>()
  readonly #closedBeforeCache = new Map<OpeningAction, Map<Event, readonly string[]>>()
  #mayEndBeRefusedCache: boolean | undefined
  #stopsByType: ReadonlyMap<string, AgentAction> | undefined

  constructor(options: StrategyOptions) {
    const { dependencies, mayMust, profile, agents } = options
    this.#dependencies = dependencies
    this.#mayMust = mayMust
    this.#profile = profile
    this.#agents = agents
    this.#answers = new AnswerFeasibility(options)
  }

  of(gate: Gate): readonly OpeningAction[] {
    const known = this.#cache.get(gate)
    if (known) return known
    const transitions = gate.transitions.filter(transition => transition.to === 'open')
    const found = this.#dependencies
      .movers(gate, 'open')
      .map(action => ({ action, rank: action.actor === 'main' ? 0 : action.call ? 2 : 1 }))
      .sort((a, b) => a.rank - b.rank)
      .flatMap(({ action }) =>
        action.events
          .filter(event => event.kind !== 'permission.request' && !isUnreliableEnding(this.#profile, event))
          .filter(event =>
            transitions.some(transition =>
              mayTriggerTransition(transition, event, this.#mayMust, action.call?.isApproved),
            ),
          )
          .flatMap(event => this.#openersByAction(action, event)),
      )
    this.#cache.set(gate, found)
    return found
  }

  #openersByAction(action: AgentAction, event: Event): readonly OpeningAction[] {
    const [first] = action.events
    if (!first) return []
    if (action.actor !== 'main' && action.call) return this.#openersByCallOfAgent(action, event)
    if (action.actor !== 'main' || action.spawns !== undefined) return this.#openersByAgent(action, event)
    const opensAtBegin = event === first
    // an `ask` delays the transition or prevents it
    if (opensAtBegin && this.#mayAsk(first, action)) return []
    const opens = this.callers(event, action)
    const asked = this.callers(first, action)
    return [
      {
        action,
        openingEvents: opens,
        opensAtBegin,
        refusable: asked,
        events: opensAtBegin ? asked : [...asked, ...opens],
      },
    ]
  }

  /** An agent is spawned and stops, and the spawning call ends. Requires that no gate can keep a live agent from ending. */
  #openersByAgent(action: AgentAction, event: Event): readonly OpeningAction[] {
    // with one live agent the caller is known
    if (this.isCallerAmbiguous || event.caller.kind === 'unknown') return []
    const { actions } = this.#dependencies
    const stops = actions.filter(action => action.events[0]?.kind === 'agent.stop')
    if (this.mayEndBeRefused) return []
    const agent = action.spawns ?? action.actor
    const stop = stops.find(action => action.actor === agent)?.events ?? []
    return actions
      .filter(other =>
        action.spawns === undefined ? other.actor === 'main' && other.spawns === agent : other === action,
      )
      .flatMap(spawn => {
        const [first, ...ends] = spawn.events
        if (!first || this.#mayAsk(first, spawn)) return []
        const starts = ends.filter(({ kind }) => kind === 'agent.start')
        const asked = [first, ...starts, ...stop.filter(({ kind }) => kind === 'agent.stop')]
        return [
          {
            action: spawn,
            openingEvents: [event],
            opensAtBegin: event === first,
            refusable: asked,
            events: [first, ...stop, ...ends],
          },
        ]
      })
  }

  /** An agent is spawned and makes the call. Agents that are live already end first. */
  #openersByCallOfAgent(action: AgentAction, event: Event): readonly OpeningAction[] {
    // with one live agent the caller is known
    if (event.caller.kind === 'unknown' || action.call?.isApproved) return []
    const { actions } = this.#dependencies
    const [begins] = action.events
    if (!begins || this.#mayAsk(begins, action) || this.mayEndBeRefused) return []
    return actions
      .filter(other => other.actor === 'main' && other.spawns === action.actor && !other.call?.isApproved)
      .flatMap(spawn => {
        const [first, ...ends] = spawn.events
        if (!first || this.#mayAsk(first, spawn)) return []
        const started = [first, ...ends.filter(({ kind }) => kind === 'agent.start')]
        const events = [...started, begins, ...(event === begins ? [] : [event])]
        return [
          {
            action: spawn,
            delegatedAction: action,
            openingEvents: [event],
            opensAtBegin: false,
            refusable: [...started, begins],
            events,
          },
        ]
      })
  }

  /** Actions by which a live agent opens the gate itself; `as`: the caller that the client reports. */
  ownOpenersOf(gate: Gate, agent: string, as = agent): readonly OpeningAction[] {
    const transitions = gate.transitions.filter(transition => transition.to === 'open')
    return this.#dependencies
      .movers(gate, 'open')
      .filter(action => action.actor === agent && action.call && !action.call.isApproved)
      .flatMap(action =>
        action.events
          .filter(
            event =>
              event.kind !== 'permission.request' && isCalledBy(event, as) && !isUnreliableEnding(this.#profile, event),
          )
          .filter(event => transitions.some(transition => mayTriggerTransition(transition, event, this.#mayMust)))
          .flatMap(event => this.ownOpenersBy(action, event, as)),
      )
  }

  ownOpenersBy(action: AgentAction, event: Event, as = action.actor): readonly OpeningAction[] {
    const first = action.events.find(event => event.kind === 'tool.before' && isCalledBy(event, as))
    if (!first || this.#mayAsk(first, action)) return []
    const opensAtBegin = event === first
    return [
      {
        action,
        openingEvents: [event],
        opensAtBegin,
        refusable: [first],
        events: opensAtBegin ? [first] : [first, event],
      },
    ]
  }

  /** Events at the end of the agent that this action spawns. */
  endEventsOf({ spawns, events }: AgentAction): readonly Event[] {
    this.#stopsByType ??= new Map(
      this.#dependencies.actions.flatMap(action =>
        action.events[0]?.kind === 'agent.stop' ? [[action.actor, action] as const] : [],
      ),
    )
    const stop = this.#stopsByType.get(spawns ?? '')
    return [...(stop?.events ?? []), ...events].filter(({ kind }) => kind !== 'tool.before' && kind !== 'agent.start')
  }

  /** Ids of gates that earlier events of the opening action may close. */
  closedBefore(event: Event, opener: OpeningAction): readonly string[] {
    const each = this.#closedBeforeCache.get(opener) ?? new Map<Event, readonly string[]>()
    this.#closedBeforeCache.set(opener, each)
    const found = each.get(event) ?? this.#gatesClosedBefore(event, opener)
    each.set(event, found)
    return found
  }

  #gatesClosedBefore(event: Event, { events, action }: OpeningAction): readonly string[] {
    const first = events.slice(0, Math.max(0, events.indexOf(event)))
    const earlier = first.filter(other => other.kind !== event.kind || other.call !== event.call)
    const mayClose = ({ transitions }: Gate): boolean =>
      transitions.some(
        transition =>
          transition.to === 'closed' &&
          earlier.some(event => mayTriggerTransition(transition, event, this.#mayMust, action.call?.isApproved)),
      )
    return this.#dependencies.program.gates.filter(mayClose).map(gate => gate.id)
  }

  #mayAsk(event: Event, { call }: AgentAction): boolean {
    return (
      this.#profile.canAsk(event.kind) &&
      this.#dependencies.program.gates.some(gate => mayGateAsk(gate, event, this.#mayMust, call?.isApproved))
    )
  }

  /** With inferred callers, any live agent may be taken for the caller, unless all agents can end first. */
  callers(event: Event, { actor }: AgentAction): readonly Event[] {
    if (actor !== 'main' || !this.isCallerAmbiguous) return [event]
    const others = this.#agents.map(toCaller)
    return [event, ...[UNKNOWN_CALLER, ...others].map(caller => ({ ...event, caller }))]
  }

  get isCallerAmbiguous(): boolean {
    return this.#profile.infersCallers && this.mayEndBeRefused
  }

  /** May a gate keep a live agent from ending? */
  get mayEndBeRefused(): boolean {
    this.#mayEndBeRefusedCache ??= this.#dependencies.actions.some(
      ({ events: [stop] }) => stop?.kind === 'agent.stop' && this.#mayStopBeRefused(stop),
    )
    return this.#mayEndBeRefusedCache
  }

  #mayStopBeRefused(stop: Event): boolean {
    const events = this.#profile.infersCallers ? [stop, { ...stop, caller: UNKNOWN_CALLER }] : [stop]
    const { gates } = this.#dependencies.program
    if (this.#profile.canRefuse(stop.kind) && !this.#answers.isPossible(events)) return true
    return gates.some(
      gate =>
        gate.mode === 'block' &&
        this.#profile.canRefuse(stop.kind) &&
        rulesOf(gate).some(rule =>
          events.some(
            event =>
              mayRuleRefuse(rule, event, this.#mayMust, this.#profile) &&
              !hasExhaustibleLimit(rule, gate, event, this.#mayMust),
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
  mayMust: MayMustEvaluator,
  approved = false,
): boolean =>
  rule.limit !== undefined &&
  gate.rules.includes(rule) &&
  !gate.transitions.some(transition => mayTriggerTransition(transition, event, mayMust, approved))

const UNKNOWN_CALLER: Event['caller'] = { kind: 'unknown' }
