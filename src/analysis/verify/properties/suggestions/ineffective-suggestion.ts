import type { Event, Gate, Rule, Transition } from '../../../../engine/index.ts'
import { atomsOf } from '../../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import { isFromPack } from '../../fixes/policy-edit.ts'
import { describeAction } from '../../report/descriptions.ts'
import type { Fix, VerificationFinding } from '../../report/finding.ts'
import { withoutRunPrefix } from '../../report/merge-findings.ts'
import { type AgentAction, mayTriggerTransition } from '../../system/agent-action.ts'
import { toCaller } from '../../system/call-endings.ts'
import { isTemplateSuggestion, suggestionsOf } from './safe-suggestions.ts'

/**
 * A closed gate suggests an allowed call that opens nothing, even on success: neither that gate nor a gate its opening depends on. Mostly
 * a misspelt name. Reported only if it holds in every state.
 */
export function findIneffectiveSuggestions(context: AnalysisContext, gate: Gate): readonly VerificationFinding[] {
  const opener = simplestOpenerOf(context, gate)
  if (!opener || gate.mode === 'observe') return []
  const rules = gate.rules.filter(isPlainSuggestion)
  const advice = rules.length > 0 ? suggestionsOf(context, gate) : []
  const transitions = advice.length > 0 ? transitionsTowards(context, gate) : []
  return rules.flatMap(rule => {
    const actions = advice.flatMap(suggestion => (suggestion.rule === rule ? suggestion.action : []))
    const isStep = (action: AgentAction): boolean =>
      withSpawnedActions(context, rule, action).some(action => mayTriggerAny(context, transitions, action))
    return actions[0] && !actions.some(isStep)
      ? [ineffectiveSuggestionFinding(context, gate, rule, actions[0], opener)]
      : []
  })
}

/** Does the rule suggest a fixed command or agent, without placeholders? */
const isPlainSuggestion = (rule: Rule): boolean =>
  rule.while === 'closed' &&
  rule.suggest !== undefined &&
  !isTemplateSuggestion(rule) &&
  (typeof rule.suggest === 'string' || 'line' in rule.suggest || 'agent' in rule.suggest)

interface SimplestOpener {
  readonly action: AgentAction
  readonly transition: Transition
}

/** The simplest opening action. Undefined: the gate may also open by a person, by time or by a condition outside the call. */
function simplestOpenerOf({ dependencies, mayMust }: AnalysisContext, gate: Gate): SimplestOpener | undefined {
  if (gate.initial === undefined || gate.opens === 'human' || gate.code !== undefined) return undefined
  const opening = gate.transitions.filter(transition => transition.to === 'open')
  if (opening.some(({ when }) => atomsOf(when).some(({ key }) => key === 'since' || key === 'env'))) return undefined
  const rank = ({ actor, call }: AgentAction): number =>
    actor !== 'main' ? 2 : call?.shorthand.shell === undefined ? 1 : 0
  const [action] = [...dependencies.movers(gate, 'open')].sort((a, b) => rank(a) - rank(b))
  const step =
    action &&
    opening.find(transition =>
      action.events.some(event => mayTriggerTransition(transition, event, mayMust, action.call?.isApproved)),
    )
  return step && { action, transition: step }
}

/** Transitions that bring the gate closer to open: its own, and those of all gates in its cone of influence. */
const transitionsTowards = ({ dependencies }: AnalysisContext, gate: Gate): readonly Transition[] =>
  [...dependencies.cone([gate], []).gates].flatMap(other =>
    other.transitions.filter(
      transition => other !== gate || transition.to === 'open' || transition.capture !== undefined,
    ),
  )

/** The action, and everything that an agent spawned by it could do. */
function withSpawnedActions(
  { dependencies }: AnalysisContext,
  { suggest }: Rule,
  action: AgentAction,
): readonly AgentAction[] {
  const agents = typeof suggest === 'object' && 'agent' in suggest ? [suggest.agent].flat() : []
  const does = (agent: string): readonly AgentAction[] => {
    const as = (event: Event): Event => ({ ...event, caller: toCaller(agent) })
    const life: readonly Event[] = (['agent.start', 'agent.stop'] as const).map(kind => ({
      ...as({ kind, client: 'proof', name: kind, session: 'proof', caller: { kind: 'main' } }),
      agent,
    }))
    return [
      { ...action, events: life },
      ...dependencies.actions.flatMap(action =>
        action.call && action.actor === 'main' ? { ...action, events: action.events.map(as) } : [],
      ),
    ]
  }
  return [action, ...agents.flatMap(agent => does(agent.toLowerCase()))]
}

const mayTriggerAny = (
  { mayMust }: AnalysisContext,
  transitions: readonly Transition[],
  { events }: AgentAction,
): boolean =>
  transitions.some(transition =>
    events.some(event => [false, true].some(approved => mayTriggerTransition(transition, event, mayMust, approved))),
  )

function ineffectiveSuggestionFinding(
  { profile }: AnalysisContext,
  gate: Gate,
  rule: Rule,
  action: AgentAction,
  opener: SimplestOpener,
): VerificationFinding {
  const words = withoutRunPrefix(describeAction({ ...action, actor: 'main' }))
  const opens = withoutRunPrefix(describeAction(opener.action))
  return {
    kind: 'misleading',
    ineffective: true,
    what: `${gate.name}/${rule.id} suggests \`${words}\`, which opens nothing`,
    clients: profile.clients,
    gate: gate.id,
    counterexample: [],
    why: `following it leaves ${gate.name} closed, even when it succeeds; \`${opens}\` opens it`,
    fix: suggestionFixes(gate, rule, words, opener),
  }
}

function suggestionFixes(
  gate: Gate,
  rule: Rule,
  words: string,
  { action, transition }: SimplestOpener,
): readonly Fix[] {
  const at = rule.at ?? gate.at ?? gate.id
  if (isFromPack(at)) return [{ at: '', of: gate.id, advice: 'list what opens it in its options' }]
  const { shell } = action.call?.shorthand ?? {}
  const agent = action.actor === 'main' ? action.spawns : action.actor
  const paste =
    agent === undefined
      ? typeof shell === 'string' && `suggest: ${withoutRunPrefix(shell)}`
      : `suggest: { agent: ${agent} }`
  const other =
    transition.at === undefined || isFromPack(transition.at)
      ? []
      : [{ at: transition.at, advice: `or let \`${words}\` open it` }]
  return [{ at, advice: paste ? `\`${paste}\`` : `suggest what opens ${gate.name}` }, ...other]
}
