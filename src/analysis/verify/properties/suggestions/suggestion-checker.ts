import type { EvaluationResult, Event, Gate, Rule } from '../../../../engine/index.ts'
import { rulesOf } from '../../abstraction/condition-atoms.ts'
import type { CallParser } from '../../abstraction/residual-condition.ts'
import type { StateNode } from '../../system/reachability-graph.ts'
import type { StateTransition, SystemStep } from '../../system/step.ts'
import type { TransitionSystem } from '../../system/transition-system.ts'
import type { RefusedSuggestion } from './refused-suggestion.ts'
import { suggestedCalls } from './suggested-calls.ts'
import { isRefusalExplained, refusingGateIds } from './suggestion-chain.ts'

/** Evaluates the calls that rules suggest during one exploration, in the states in which they are suggested. */
export class SuggestionChecker {
  readonly refused: RefusedSuggestion[] = []
  readonly #parser: CallParser
  /** state and suggestion, so that each is tried once */
  readonly #tried = new Set<string>()

  constructor(parser: CallParser) {
    this.#parser = parser
  }

  check(node: StateNode, transition: StateTransition, system: TransitionSystem): void {
    const asked = suggestionTrigger(transition.step, system)
    for (const [nth, result] of transition.results.entries()) {
      const { event: kind } = result.record
      if (!asked || (nth > 0 && !FEEDBACK_EVENTS.has(kind))) continue
      // a suggestion on a spawning call is tried in the state after the agent's start
      const next = transition.results[nth + 1]
      const session = next?.record.event === 'agent.start' ? next.session : result.session
      this.#checkMatches(node, transition, { ...result, session }, system, { ...asked, kind })
    }
  }

  #checkMatches(
    node: StateNode,
    { step }: StateTransition,
    result: EvaluationResult,
    system: TransitionSystem,
    event: Event,
  ): void {
    for (const match of result.record.matches) {
      if (match.effect !== 'deny' && match.effect !== 'ask' && match.effect !== 'warn') continue
      const gate = system.program.gates.find(gate => gate.id === match.gate)
      const rule = gate && rulesOf(gate).find(rule => rule.id === match.rule)
      if (gate && rule?.suggest) this.#checkSuggestion(node, step, result, system, gate, rule, event)
    }
  }

  #checkSuggestion(
    node: StateNode,
    step: SystemStep,
    result: EvaluationResult,
    system: TransitionSystem,
    gate: Gate,
    rule: Rule,
    event: Event,
  ): void {
    for (const call of suggestedCalls(rule, gate, event, result.session, this.#parser)) {
      const state = `${system.states.reduce(result.session, node.state).key} ${refusingGateIds(result, system).join()}`
      const key = `${state} ${gate.id} ${rule.id} ${step.actor} ${event.kind} ${step.ending} ${JSON.stringify(call.shorthand)}`
      if (this.#tried.has(key)) continue
      this.#tried.add(key)
      const answer = system.evaluate(system.beginEvent(call, step.actor), result.session)
      const isKnown = this.refused.some(suggestion => suggestion.rule === rule)
      if (answer.outcome.decision !== 'deny' || isKnown) continue
      const context = { actor: step.actor, session: result.session, system, parser: this.#parser }
      if (!isRefusalExplained(context, call, gate, { event, result }))
        this.refused.push({ node, step, gate, rule, call })
    }
  }
}

/** Events after the beginning of a call at which rules can still send text to the caller. */
const FEEDBACK_EVENTS: ReadonlySet<string> = new Set(['tool.after', 'tool.failed', 'permission.request'])

/** The event on which a rule may suggest something: the beginning of a call, or a stop. */
const suggestionTrigger = ({ call, actor, event }: SystemStep, system: TransitionSystem): Event | undefined =>
  call
    ? system.beginEvent(call, actor)
    : event?.kind === 'turn.stop' || event?.kind === 'agent.stop'
      ? event
      : undefined
