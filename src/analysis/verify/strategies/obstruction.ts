import type { Condition, Event, Gate, GateState, Transition } from '../../../engine/index.ts'
import { isBlockingRule } from '../abstraction/blocking-rules.ts'
import { atomsOf, rulesOf } from '../abstraction/condition-atoms.ts'
import type { DependencyGraph } from '../abstraction/cone-of-influence.ts'
import type { KnownGateStates, MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isCalledBy, isPerAgentGate } from '../system/actor.ts'
import { type AgentAction, mayRuleRefuse, mayTriggerTransition, mustTriggerTransition } from '../system/agent-action.ts'
import type { ClientProfile } from '../system/client-profile.ts'
import { AnswerFeasibility } from './answer-feasibility.ts'
import { hasExhaustibleLimit, type OpeningActions, type StrategyOptions } from './opening-actions.ts'
import { type OpeningGoal, type RuleObjection, withOpenGates } from './opening-goal.ts'
import type { StrategyState } from './strategy-state.ts'

/** Finds the gates that may refuse an action, if only the gates opened so far are known. */
export class ObstructionAnalysis {
  readonly #dependencies: DependencyGraph
  readonly #mayMust: MayMustEvaluator
  readonly #profile: ClientProfile
  readonly #openers: OpeningActions
  readonly #answers: AnswerFeasibility
  readonly #state: StrategyState

  constructor(options: StrategyOptions, openers: OpeningActions, state: StrategyState) {
    const { dependencies, mayMust, profile } = options
    this.#dependencies = dependencies
    this.#mayMust = mayMust
    this.#profile = profile
    this.#openers = openers
    this.#answers = new AnswerFeasibility(options)
    this.#state = state
  }

  /** Gates that have to be opened first. Undefined: even then the action may be refused or may not open its target. */
  gatesToOpen(
    action: AgentAction,
    asked: readonly Event[],
    target: OpeningGoal | undefined,
    { isWork = false, then }: { readonly isWork?: boolean; readonly then?: string | undefined } = {},
  ): readonly Gate[] | undefined {
    if (action.call?.isApproved && this.#dependencies.approvalRequest) return undefined
    const needed = target ? this.#gatesNeededFor(target, then) : []
    const events = [...asked, ...(target?.opener.events ?? [])]
    if (!needed || !this.#answers.isPossible(events, target?.gate, action.call?.isApproved)) return undefined
    const found = new Set<Gate>(needed)
    const { gates } = this.#dependencies.program
    const actions = [action, ...(target?.opener.delegatedAction ? [target.opener.delegatedAction] : [])]
    const refusers = this.#openers.isCallerAmbiguous
      ? gates
      : gates.filter(gate => actions.some(action => this.#dependencies.refusers(action).includes(gate)))
    for (const event of asked) {
      const isOpening = target && (target.opener.opensAtBegin || target.opener.openingEvents.includes(event))
      const known = this.#statesSeenAt(event, target, isOpening, action.call?.isApproved)
      for (const gate of refusers) {
        if (gate.mode !== 'block' || !this.#profile.canRefuse(event.kind)) continue
        for (const rule of rulesOf(gate)) {
          if (
            isWork &&
            !isBlockingRule(rule, gate, action, {
              mayMust: this.#mayMust,
              profile: this.#profile,
              dependencies: this.#dependencies,
            })
          )
            continue
          const first = this.#gatesSilencing({
            rule,
            gate,
            event,
            knownStates: known,
            approved: action.call?.isApproved ?? false,
          })
          const openable = first && this.#openableByActor(first, event, then)
          if (!openable) return undefined
          for (const gate of openable) found.add(gate)
        }
      }
    }
    return [...found]
  }

  /** Gates needed at the end of a call have to stay open while it runs. */
  isOpenUntilEnd({ gate, opener }: OpeningGoal): boolean {
    const { action, refusable, events, opensAtBegin } = opener
    const { openGates } = this.#state
    const late = this.#state.expiredAfter(events)
    if (opensAtBegin || late.length === 0) return true
    const before = openGates.copy()
    for (const gate of late) openGates.delete(gate)
    const isEnough = this.gatesToOpen(action, refusable, { gate, opener })?.length === 0
    this.#state.openGates = before
    return isEnough
  }

  /** An agent opens only its own `scope: agent` gates. The `delegate` is spawned afterwards and opens its own. */
  #openableByActor(gates: readonly Gate[], event: Event, then?: string): readonly Gate[] | undefined {
    if (isCalledBy(event, this.#state.actor) || !gates.some(isPerAgentGate)) return gates
    // the delegate cannot act before it has started
    const isLater = then !== undefined && event.call !== undefined && isCalledBy(event, then)
    return isLater ? gates.filter(gate => !isPerAgentGate(gate)) : undefined
  }

  /** Known gate states. Rules see the target as open once the event opens it; the opening transition itself sees it closed. */
  knownStates(target: OpeningGoal | undefined, isOpening = false, event?: Event): KnownGateStates {
    const known = new Map<string, GateState>(this.#state.openGates.gates.map(gate => [gate.id, 'open']))
    if (target && event) for (const id of this.#openers.closedBefore(event, target.opener)) known.delete(id)
    if (target) known.set(target.gate.id, isOpening ? 'open' : 'closed')
    if (event && isCalledBy(event, this.#state.actor)) return known
    for (const gate of [...this.#state.openGates.gates, ...(target ? [target.gate] : [])])
      if (isPerAgentGate(gate)) known.delete(gate.id)
    return known
  }

  /** Gate states that rules see at this event. Gates that the event may move as a side effect are unknown. */
  #statesSeenAt(event: Event, target: OpeningGoal | undefined, isOpening = false, approved = false): KnownGateStates {
    const known = new Map(this.knownStates(target, isOpening, event))
    for (const gate of this.#dependencies.program.gates) {
      const state = known.get(gate.id)
      if (state === undefined || (isOpening && gate === target?.gate)) continue
      const leaves = ({ from, to, clock }: Transition): boolean =>
        to !== state && from.includes(state) && (to === 'open' || clock)
      if (
        gate.transitions.some(
          transition => leaves(transition) && mayTriggerTransition(transition, event, this.#mayMust, approved),
        )
      )
        known.delete(gate.id)
    }
    return known
  }

  /** Gates that have to be open so that the rule does not refuse. Undefined: it may refuse even then. */
  #gatesSilencing({ rule, gate, event, knownStates, approved }: RuleObjection): readonly Gate[] | undefined {
    if (!rule.events.includes(event.kind)) return []
    // the rule refuses in no state
    if (!mayRuleRefuse(rule, event, this.#mayMust, this.#profile, approved)) return []
    const isRefused = (states: KnownGateStates): boolean =>
      mayRuleRefuse(rule, event, this.#mayMust.withKnownStates(states), this.#profile, approved)
    if (!isRefused(knownStates) || hasExhaustibleLimit(rule, gate, event, this.#mayMust, approved)) return []
    const state = knownStates.get(gate.id)
    if (rule.while !== undefined && gate.initial !== undefined) {
      if (state !== undefined && state !== rule.while) return []
      if (state === undefined && rule.while === 'closed') return [gate]
    }
    const first = this.#unknownGatesIn([rule.when, ...(rule.unless ? [rule.unless] : [])], knownStates)
    return first.length > 0 && !isRefused(withOpenGates(knownStates, first)) ? first : undefined
  }

  /** Gates that have to be open so that the event is certain to open its target. Undefined: it may not open it even then. */
  #gatesNeededFor(target: OpeningGoal, then?: string): readonly Gate[] | undefined {
    const { openingEvents, action } = target.opener
    const found = openingEvents.map(event => {
      const known = this.knownStates(target, false, event)
      const needed = this.#gatesNeededAt(event, target.gate, known, action.call?.isApproved)
      return needed && this.#openableByActor(needed, event, then)
    })
    return found.every(one => one !== undefined) ? [...new Set(found.flat())] : undefined
  }

  #gatesNeededAt(opens: Event, gate: Gate, known: KnownGateStates, approved = false): readonly Gate[] | undefined {
    const phases: readonly Event[] = opens.call ? [opens, { ...opens, kind: 'tool.before' }] : [opens]
    const closing = gate.transitions.filter(
      transition => transition.to === 'closed' && transition.from.includes('open'),
    )
    if (
      closing.some(transition => phases.some(phase => mayTriggerTransition(transition, phase, this.#mayMust, approved)))
    )
      return undefined
    for (const transition of gate.transitions) {
      if (transition.clock || !transition.from.includes('closed') || !transition.events.includes(opens.kind)) continue
      if (transition.to === 'closed' && mayTriggerTransition(transition, opens, this.#mayMust, approved))
        return undefined
      if (transition.to === 'closed') continue
      const happens = (states: KnownGateStates): boolean =>
        mustTriggerTransition(transition, opens, this.#mayMust.withKnownStates(states), approved)
      if (happens(known)) return []
      const first = this.#unknownGatesIn([transition.when], known)
      if (first.length > 0 && happens(withOpenGates(known, first))) return first
    }
    return undefined
  }

  #unknownGatesIn(conditions: readonly Condition[], known: KnownGateStates): readonly Gate[] {
    const ids = conditions.flatMap(atomsOf).flatMap(atom => (atom.key === 'gate' ? atom.states : []))
    const wanted = new Set(ids.map(one => one.gate).filter(id => !known.has(id)))
    return this.#dependencies.program.gates.filter(gate => wanted.has(gate.id))
  }
}
