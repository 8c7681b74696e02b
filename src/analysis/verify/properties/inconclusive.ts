import type { EventKind, Gate, Rule } from '../../../engine/index.ts'
import { type Atom, atomsOf, atomsOfGate, rulesOf, triggerEventKinds } from '../abstraction/condition-atoms.ts'
import { attributeKeysOf, CALL_ATTRIBUTE_KEYS, isVagueAtom } from '../abstraction/input-partitioning/pattern-sampler.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { type AgentAction, mayRuleRefuse, mayTriggerTransition, refusableEvents } from '../system/agent-action.ts'
import { withoutSpawns } from '../system/call-endings.ts'
import { withoutLiveAgent } from '../system/state/control-state.ts'
import { detachedState, type SystemState } from '../system/state/system-state.ts'
import { findUnsendableCall } from './unsendable-calls.ts'

/** A failed attempt: the gates that would have to open, the rules that refuse the opening actions, and those actions. */
interface FailedAttempt {
  readonly gates: readonly Gate[]
  readonly rules: readonly Rule[]
  readonly refusedActions: readonly AgentAction[]
  readonly state: SystemState
}

/** A reason why there may be a way out that was not explored, if there is one. */
export function findInconclusiveReason(
  context: AnalysisContext,
  { gates, rules, refusedActions, state }: FailedAttempt,
): string | undefined {
  return (
    gates.map(gate => missingOpenerReason(context, gate)).find(Boolean) ??
    vaguePatternReason(context, gates, rules) ??
    refusedActions.map(action => nestedSpawnReason(context, action, state)).find(Boolean) ??
    (mayAnotherAgentOpen(context, gates, state) ? 'several agents at once were not explored' : undefined)
  )
}

/** Actions of other agents that are tried. */
const MAX_OTHERS = 8

/** Would another agent open one of these gates, if it ran beside the live agent? */
function mayAnotherAgentOpen(context: AnalysisContext, gates: readonly Gate[], state: SystemState): boolean {
  if (!state.liveAgent) return false
  const at = detachedState(withoutSpawns(state.session), withoutLiveAgent(state))
  const isOpening = (gate: Gate, action: AgentAction): boolean =>
    context
      .transitionsOf(action, at)
      .some(
        ({ step, results }) =>
          step.ending !== 'refused' &&
          results.some(({ record }) => record.moves.some(move => move.gate === gate.id && move.to === 'open')),
      )
  // an agent cannot open another agent's own gates
  return gates
    .filter(gate => gate.scope !== 'agent')
    .some(gate =>
      context.dependencies
        .movers(gate, 'open')
        .filter(action => action.actor !== 'main')
        .slice(0, MAX_OTHERS)
        .some(action => isOpening(gate, action)),
    )
}

/** A call that would open the gate, but that this client cannot send. */
export const findUnsendableOpener = (context: AnalysisContext, gate: Gate): AgentAction | undefined =>
  findUnsendableCall(context, (event, approved) =>
    gate.transitions.some(
      transition => transition.to === 'open' && mayTriggerTransition(transition, event, context.mayMust, approved),
    ),
  )

const CALL_EVENTS: readonly EventKind[] = ['tool.before', 'permission.request', 'tool.after', 'tool.failed']

/** The opening condition matches calls, but no such call could be built. */
function missingOpenerReason(context: AnalysisContext, gate: Gate): string | undefined {
  const { dependencies, profile } = context
  if (
    dependencies.movers(gate, 'open').length > 0 ||
    dependencies.findUnreportedOpener(gate) ||
    findUnsendableOpener(context, gate)
  )
    return undefined
  const isExpected = gate.transitions.some(
    transition =>
      transition.to === 'open' &&
      triggerEventKinds(transition).some(kind => CALL_EVENTS.includes(kind) && profile.sendsEvent(kind)) &&
      atomsOf(transition.when).some(atom => CALL_ATTRIBUTE_KEYS.has(atom.key)),
  )
  return isExpected ? `no call could be generated that opens ${gate.name}` : undefined
}

/** Patterns overlap in combinations that could not all be sampled. */
function vaguePatternReason(
  context: AnalysisContext,
  gates: readonly Gate[],
  rules: readonly Rule[],
): string | undefined {
  const openings = gates.flatMap(gate => gate.transitions.filter(transition => transition.to === 'open'))
  const exempted = rules.flatMap(({ when, unless }) => [when, ...(unless ? [unless] : [])])
  const untried = untriedAttributes(
    context,
    [...openings.map(transition => transition.when), ...exempted].flatMap(atomsOf),
  )
  return untried && `${untried}, and another call may be allowed`
}

/** Not every prompt that the patterns distinguish was tried: another one may open the gate. */
export function untriedPromptReason(context: AnalysisContext, gate: Gate): string | undefined {
  const openings = gate.transitions.filter(transition => transition.to === 'open')
  const untried = untriedAttributes(
    context,
    openings.flatMap(({ when }) => atomsOf(when)).filter(({ key }) => key === 'prompt'),
  )
  return untried && `${untried}, and another prompt may be allowed`
}

function untriedAttributes({ incomplete }: AnalysisContext, atoms: readonly Atom[]): string | undefined {
  const keys = [...new Set(atoms.flatMap(attributeKeysOf))].filter(key => incomplete.has(key)).map(key => `\`${key}\``)
  return keys.length === 0 ? undefined : `not every ${keys.join(' and ')} that the patterns distinguish could be tried`
}

/** No deadlock was found, but a call that was not sampled may lead into one: a closing call that is allowed. */
export function reportUntriedClosings(context: AnalysisContext, gates: Iterable<Gate>): readonly VerificationFinding[] {
  const all = [...gates]
  const closings = all.flatMap(gate =>
    gate.transitions.filter(({ to, events }) => to === 'closed' && hasCallEvent(events)),
  )
  const rules = closings.length > 0 ? all.flatMap(gate => rulesRefusingClosings(context, gate, all)) : []
  const asked = [
    ...closings.map(transition => transition.when),
    ...rules.flatMap(({ when, unless }) => [when, unless ?? []].flat()),
  ]
  const vagueAtoms = all.flatMap(atomsOfGate).filter(isVagueAtom)
  const inconclusiveReason = untriedAttributes(context, [...asked.flatMap(atomsOf), ...vagueAtoms])
  if (inconclusiveReason === undefined) return []
  const names = all.flatMap(gate => (gate.initial === undefined ? [] : gate.name)).join(', ')
  return [
    {
      kind: 'deadlock',
      what: `an untried call may close ${names} with no way left`,
      ...{ clients: context.profile.clients, counterexample: [], fix: [] },
      why: 'no strategy opens them in every state, and only some states were explored',
      inconclusiveReason: inconclusiveReason,
    },
  ]
}

const hasCallEvent = (events: readonly EventKind[]): boolean => events.some(kind => CALL_EVENTS.includes(kind))

/** Rules of the gate that may refuse a call that closes one of these gates. */
function rulesRefusingClosings(
  { dependencies, mayMust, profile }: AnalysisContext,
  gate: Gate,
  gates: readonly Gate[],
): readonly Rule[] {
  const closing = gates.flatMap(gate => dependencies.movers(gate, 'closed')).filter(action => action.call)
  return rulesOf(gate).filter(rule =>
    closing.some(action =>
      refusableEvents(action).some(event => mayRuleRefuse(rule, event, mayMust, profile, action.call?.isApproved)),
    ),
  )
}

/** The main agent may not spawn this agent, but another agent may. Agents spawned by agents are not explored. */
function nestedSpawnReason(
  { dependencies, evaluateAction }: AnalysisContext,
  { spawns }: AgentAction,
  state: SystemState,
): string | undefined {
  if (spawns === undefined) return undefined
  const isPermitted = (action: AgentAction): boolean => evaluateAction(action, state)?.outcome.decision !== 'deny'
  const isThere = (type: string): boolean =>
    state.liveAgent?.type === type ||
    dependencies.actions.some(action => action.actor === 'main' && action.spawns === type && isPermitted(action))
  const others = dependencies.actions.filter(
    action =>
      action.call?.spawns === spawns && action.actor !== 'main' && action.actor !== spawns && isThere(action.actor),
  )
  const free = others.find(isPermitted)
  return free && `${free.actor} may spawn ${spawns}, and agents spawned by agents are not explored`
}
