import type { Truth } from '../engine/index.ts'
import {
  actionsOf,
  type Event,
  type EventContext,
  type Gate,
  matchContextOf,
  type Rule,
  ruleApplies,
} from '../engine/index.ts'

/** Evaluates one rule regardless of its gate's state. Used to check examples when a policy loads. */
export function evaluateRuleAlone(
  rule: Rule,
  gate: Gate,
  event: Event,
  world: Omit<EventContext, 'event' | 'turn'>,
): Truth {
  const memory = { state: rule.while ?? 'open', operations: 0, changed: { at: 0, turn: 0, operations: 0 } }
  const context = matchContextOf(gate, { ...world, event, turn: 0 }, () => memory)
  const answers = actionsOf(event).map(action => ruleApplies(rule, action, context))
  return answers.find(answer => answer === 'true') ?? answers.find(answer => answer === 'unknown') ?? 'false'
}
