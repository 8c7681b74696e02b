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
  context: SuggestionContext,
  suggested: SampleCall,
  suggestingGate: Gate,
  answered: AnsweredEvent,
): boolean {
  const refused = evaluateCall(context, suggested)
  return refusingGateIds(refused.result, context.system).every(id => {
    if (id === suggestingGate.id) return false
    const refusingRule = refusingRuleOf(id, answered, context)
    return (
      (refusingRule && isLeadingToPermitted(context, id, refusingRule, answered, [suggestingGate.id])) ||
      isNamingNextStep(context, id, refused, [suggestingGate.id])
    )
  })
}

function evaluateCall({ actor, session, system }: SuggestionContext, call: SampleCall): AnsweredEvent {
  const event = system.beginEvent(call, actor)
  return { event, result: system.evaluate(event, session) }
}

/** The rule waits for a person. Its message has to say so (`no-guidance`), and the agent then knows what to do next. */
export const isWaitingForPerson = (rule: Rule, { opens }: Gate): boolean =>
  opens === 'human' && rule.while === 'closed' && rule.suggest === undefined

/** The rule waits for a gate and suggests how to open it, or says that a person does. */
function isNamingNextStep(
  context: SuggestionContext,
  id: string,
  refused: AnsweredEvent,
  before: readonly string[],
): boolean {
  const rule = refusingRuleOf(id, refused, context)
  const gate = findGate(id, context.system)
  if (rule && gate && isWaitingForPerson(rule, gate)) return true
  if (!rule?.suggest || before.includes(id) || !(rule.while === 'closed' || isLiftedByOpenGate(rule))) return false
  return isLeadingToPermitted(context, id, rule, refused, before)
}

/** Is the rule's suggestion allowed, or refused only by rules that suggest a next step themselves? */
function isLeadingToPermitted(
  context: SuggestionContext,
  id: string,
  rule: Rule,
  { event }: AnsweredEvent,
  before: readonly string[],
): boolean {
  const { system, session, parser } = context
  const gate = findGate(id, system)
  if (!gate) return false
  return suggestedCalls(rule, gate, event, session, parser).every(call => {
    const next = evaluateCall(context, call)
    if (next.result.outcome.decision !== 'deny') return true
    return refusingGateIds(next.result, system).every(other => isNamingNextStep(context, other, next, [...before, id]))
  })
}

const findGate = (id: string, { program }: TransitionSystem): Gate | undefined =>
  program.gates.find(gate => gate.id === id)

/** The rule by which this gate refused. */
function refusingRuleOf(id: string, { event, result }: AnsweredEvent, { system }: SuggestionContext): Rule | undefined {
  const gate = findGate(id, system)
  const refusingRule = result.record.matches.find(
    match => match.gate === id && isRefusal(match.effect, event.kind, system.profile),
  )
  return gate && refusingRule && rulesOf(gate).find(rule => rule.id === refusingRule.rule)
}

/** Ids of all gates whose rules refuse the call. */
export const refusingGateIds = ({ record }: EvaluationResult, { profile }: TransitionSystem): readonly string[] =>
  record.matches.filter(match => isRefusal(match.effect, 'tool.before', profile)).map(match => match.gate)
