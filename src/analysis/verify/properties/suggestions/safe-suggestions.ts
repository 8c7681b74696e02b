import { actionsOf, type Event, type Gate, newSession, type Rule } from '../../../../engine/index.ts'
import { isLiftedByOpenGate } from '../../abstraction/blocking-rules.ts'
import { atomsOf, isStateDependent, rulesOf } from '../../abstraction/condition-atoms.ts'
import { TRUE_BIT } from '../../abstraction/may-must-evaluator.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import {
  type AgentAction,
  actionForCall,
  isRefusal,
  mayRuleFire,
  mayRuleRefuse,
  mayTriggerTransition,
  refusableEvents,
} from '../../system/agent-action.ts'
import { suggestedCalls } from './suggested-calls.ts'
import { isWaitingForPerson } from './suggestion-chain.ts'

/** A rule may fire on the event and then suggests this action to the caller. */
interface RuleSuggestion {
  readonly rule: Rule
  readonly event: Event
  readonly action: AgentAction
  readonly isApproved: boolean
}

/** The actions that the gate's rules may suggest. */
export function suggestedActions(context: AnalysisContext, gate: Gate): readonly AgentAction[] {
  const spawns = rulesOf(gate).some(rule => isTemplateSuggestion(rule) && 'agent' in Object(rule.suggest))
  // a suggested spawn is replaced by the known action that starts the agent
  const known = new Map(context.dependencies.actions.map(action => [action.key, action]))
  return [
    ...(spawns ? context.dependencies.actions.filter(action => action.spawns) : []),
    ...suggestionsOf(context, gate).map(({ action }) => known.get(action.key) ?? action),
  ]
}

/**
 * No suggestion misleads, in any state: no gate refuses the suggested call, or the refusing gate already refused in the same reply with
 * an allowed suggestion of its own, or it names the next step when it refuses.
 */
export function hasSafeSuggestions(context: AnalysisContext, gate: Gate): boolean {
  if (rulesOf(gate).some(rule => isCaptureTemplate(rule, gate))) return false
  return suggestionsOf(context, gate).every(suggestion =>
    context.dependencies.refusers(suggestion.action).every(other =>
      rulesOf(other)
        .filter(rule => mayRefuseSuggestion(context, rule, suggestion))
        .every(
          rule =>
            other !== gate &&
            (isRefusedInSameReply(context, rule, other, suggestion) ||
              isNextStepRule(context, rule, other, suggestion.action, [gate])),
        ),
    ),
  )
}

/** Does the rule wait for a gate and suggest a step that is allowed, or that is refused only by rules that do the same? */
function isNextStepRule(
  context: AnalysisContext,
  rule: Rule,
  gate: Gate,
  action: AgentAction,
  before: readonly Gate[],
): boolean {
  const [event] = action.events
  if (isWaitingForPerson(rule, gate)) return true
  if (!event || rule.suggest === undefined || before.includes(gate) || isTemplateSuggestion(rule)) return false
  if (rule.while !== 'closed' && !isLiftedByOpenGate(rule)) return false
  return suggestedActionsFor(context, rule, gate, action.actor, event).every(next =>
    context.dependencies.refusers(next).every(other =>
      rulesOf(other)
        .filter(rule => mayRefuseAction(context, rule, next))
        .every(rule => isNextStepRule(context, rule, other, next, [...before, gate])),
    ),
  )
}

const mayRefuseAction = ({ mayMust, profile }: AnalysisContext, rule: Rule, action: AgentAction): boolean =>
  refusableEvents(action).some(event => mayRuleRefuse(rule, event, mayMust, profile, action.call?.isApproved))

export const isTemplateSuggestion = ({ suggest }: Rule): boolean =>
  suggest !== undefined && JSON.stringify(suggest).slice(1).includes('{')

/** Is the suggestion built from a capture? Then it depends on the state. Other placeholders are filled from the event. */
const isCaptureTemplate = (rule: Rule, { transitions }: Gate): boolean =>
  isTemplateSuggestion(rule) &&
  (transitions.some(transition => transition.capture) || /\{[^{}"]*\.[^{}"]*\}/.test(JSON.stringify(rule.suggest)))

const SUGGESTION_CACHE = new WeakMap<AnalysisContext, Map<Gate, readonly RuleSuggestion[]>>()

/** The gate's suggestions with the event that triggers each, cached. */
export function suggestionsOf(context: AnalysisContext, gate: Gate): readonly RuleSuggestion[] {
  const known = SUGGESTION_CACHE.get(context) ?? new Map<Gate, readonly RuleSuggestion[]>()
  SUGGESTION_CACHE.set(context, known)
  const found = known.get(gate) ?? collectSuggestions(context, gate)
  known.set(gate, found)
  return found
}

function collectSuggestions(context: AnalysisContext, gate: Gate): readonly RuleSuggestion[] {
  const { representativeActions, mayMust } = context
  return rulesOf(gate).flatMap(rule => {
    if (rule.suggest === undefined) return []
    const known = new Map<string, readonly AgentAction[]>()
    const suggested = (actor: string, event: Event): readonly AgentAction[] => {
      // built from the event, or the same for every event of this caller
      const found = isTemplateSuggestion(rule) ? undefined : known.get(actor)
      const actions = found ?? suggestedActionsFor(context, rule, gate, actor, event)
      known.set(actor, actions)
      return actions
    }
    return representativeActions.flatMap(({ actor, events, call }) =>
      events.flatMap(event => {
        const { sure, unsure } = mayRuleFire(rule, event, mayMust, call?.isApproved)
        if (!sure && !unsure) return []
        return suggested(actor, event).map(action => ({
          rule,
          event,
          action,
          isApproved: call?.isApproved ?? false,
        }))
      }),
    )
  })
}

const suggestedActionsFor = (
  { profile, parser }: AnalysisContext,
  rule: Rule,
  gate: Gate,
  actor: string,
  event: Event,
): readonly AgentAction[] =>
  suggestedCalls(rule, gate, { ...event, client: profile.clients[0] ?? '' }, newSession('proof', '/', 0), parser).map(
    call => actionForCall(call, actor, profile),
  )

/** Only events with the same kind of caller count: an unknown caller stays unknown. Spawns report their caller on every client. */
const mayRefuseSuggestion = (
  { mayMust, profile }: AnalysisContext,
  rule: Rule,
  { action, event: before }: RuleSuggestion,
): boolean =>
  refusableEvents(action)
    .filter(({ caller }) => before.call?.tool === 'Agent' || caller.kind === before.caller.kind)
    .some(event => mayRuleRefuse(rule, event, mayMust, profile, action.call?.isApproved))

/** In every state in which the rule refuses the suggested call, it also refused the event and suggested an allowed call. */
function isRefusedInSameReply(
  context: AnalysisContext,
  rule: Rule,
  gate: Gate,
  { event, isApproved }: RuleSuggestion,
): boolean {
  const { mayMust, profile, dependencies } = context
  const asked = [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(atomsOf)
  if (
    !isRefusal(rule.then, event.kind, profile) ||
    !profile.canRefuse(event.kind) ||
    rule.limit !== undefined ||
    asked.some(isStateDependent)
  )
    return false
  if (!rule.events.includes(event.kind)) return false
  const fires = actionsOf(event).some(
    act =>
      mayMust.truthSetOf(rule.when, act, event, 'any', isApproved) === TRUE_BIT &&
      (!rule.unless || (mayMust.truthSetOf(rule.unless, act, event, 'all', isApproved) & TRUE_BIT) === 0),
  )
  // rules see the gate as already moved, although a refused event does not move it and an allowed event may close it
  const moves = gate.transitions.some(
    transition => transition.clock || mayTriggerTransition(transition, event, mayMust, isApproved),
  )
  if (!fires || moves || isCaptureTemplate(rule, gate)) return false
  const actor = event.caller.kind === 'agent' ? (event.caller.type ?? event.caller.id) : 'main'
  return suggestedActionsFor(context, rule, gate, actor, event).every(
    action => dependencies.refusers(action).length === 0,
  )
}
