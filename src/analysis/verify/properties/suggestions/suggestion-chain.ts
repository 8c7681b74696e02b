import type { EvaluationResult, Event, Gate, Rule, Session } from '../../../../engine/index.ts'
import { isLiftedByOpenGate } from '../../abstraction/blocking-rules.ts'
import { rulesOf } from '../../abstraction/condition-atoms.ts'
import type { CallParser, SampleCall } from '../../abstraction/residual-condition.ts'
import { isRefusal } from '../../system/agent-action.ts'
import type { TransitionSystem } from '../../system/transition-system.ts'
import { suggestedCalls } from './suggested-calls.ts'

/** The caller that receives a suggestion, and the state it is in. */
export interface SuggestionContext {
  readonly actor: string
  readonly session: Session
  readonly system: TransitionSystem
  readonly parser: CallParser
}

/** An event and its evaluation. */
interface AnsweredEvent {
  readonly event: Event
  readonly result: EvaluationResult
}

/**
 * A suggested call is refused. Can the agent still find the next step? It can if every refusing gate spoke in the same reply, or suggests
 * its own next step when it refuses, like the stages of a pipeline.
 */
export function isRefusalExplained(
  audience: SuggestionContext,
  suggested: SampleCall,
  by: Gate,
  told: AnsweredEvent,
): boolean {
  const refused = evaluateCall(audience, suggested)
  return refusingGateIds(refused.result, audience.system).every(id => {
    if (id === by.id) return false
    const spoke = refusingRuleOf(id, told, audience)
    return (
      (spoke && isLeadingToPermitted(audience, id, spoke, told, [by.id])) ||
      isNamingNextStep(audience, id, refused, [by.id])
    )
  })
}

function evaluateCall({ actor, session, system }: SuggestionContext, call: SampleCall): AnsweredEvent {
  const event = system.beginEvent(call, actor)
  return { event, result: system.evaluate(event, session) }
}

/** The rule waits for a gate and suggests how to open it. */
function isNamingNextStep(
  audience: SuggestionContext,
  id: string,
  refused: AnsweredEvent,
  before: readonly string[],
): boolean {
  const rule = refusingRuleOf(id, refused, audience)
  if (!rule?.suggest || before.includes(id) || !(rule.while === 'closed' || isLiftedByOpenGate(rule))) return false
  return isLeadingToPermitted(audience, id, rule, refused, before)
}

/** Is the rule's suggestion allowed, or refused only by rules that suggest a next step themselves? */
function isLeadingToPermitted(
  audience: SuggestionContext,
  id: string,
  rule: Rule,
  { event }: AnsweredEvent,
  before: readonly string[],
): boolean {
  const { system, session, parser } = audience
  const gate = findGate(id, system)
  if (!gate) return false
  return suggestedCalls(rule, gate, event, session, parser).every(call => {
    const next = evaluateCall(audience, call)
    if (next.result.outcome.decision !== 'deny') return true
    return refusingGateIds(next.result, system).every(other => isNamingNextStep(audience, other, next, [...before, id]))
  })
}

const findGate = (id: string, { program }: TransitionSystem): Gate | undefined =>
  program.gates.find(one => one.id === id)

/** The rule by which this gate refused. */
function refusingRuleOf(id: string, { event, result }: AnsweredEvent, { system }: SuggestionContext): Rule | undefined {
  const gate = findGate(id, system)
  const spoke = result.record.matches.find(one => one.gate === id && isRefusal(one.effect, event.kind, system.profile))
  return gate && spoke && rulesOf(gate).find(one => one.id === spoke.rule)
}

/** Ids of all gates whose rules refuse the call. */
export const refusingGateIds = ({ record }: EvaluationResult, { profile }: TransitionSystem): readonly string[] =>
  record.matches.filter(one => isRefusal(one.effect, 'tool.before', profile)).map(one => one.gate)
