import { actionsOf, type Gate, type Rule } from '../../../engine/index.ts'
import { isBlockingRule, isRefusedUntilOpen } from '../abstraction/blocking-rules.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext, Exploration } from '../analysis-context.ts'
import { describeAction } from '../report/descriptions.ts'
import type { VerificationFinding } from '../report/finding.ts'
import {
  type AgentAction,
  actionForCall,
  isRefusal,
  mayRuleRefuse,
  mayTriggerTransition,
  refusableEvents,
} from '../system/agent-action.ts'
import type { StateNode } from '../system/reachability-graph.ts'
import type { SystemState } from '../system/state/system-state.ts'
import type { StateTransition } from '../system/step.ts'
import { nearestNode } from './deadlock.ts'

/** Actions that closed gates may refuse, one representative for each equivalence class. */
export function findGuardedActions(context: AnalysisContext): readonly AgentAction[] {
  const { representativeActions, program } = context
  if (program.gates.every(gate => gate.initial === undefined)) return []
  // approved calls are allowed more, so they are checked instead
  const asksApproval = representativeActions.some(({ call }) => call?.isApproved)
  const spawned = new Set(context.dependencies.actions.map(action => action.spawns))
  const guarded = representativeActions.filter(
    ({ actor, call }) =>
      call &&
      (actor === 'main' || spawned.has(actor)) &&
      !call.isAttested &&
      call.isApproved === asksApproval &&
      // an action with several parts may combine parts that are never allowed together
      actionsOf(call.beforeEvent).length === 1,
  )
  return guarded.filter(action => gatesAwaitedBy(context, action).length > 0 || isBlockedAlternately(context, action))
}

/** Several rules refuse the action, each in other gate states: when one stops refusing, another may start. */
const isBlockedAlternately = (context: AnalysisContext, action: AgentAction): boolean =>
  context.dependencies.refusers(action).flatMap(gate => blockingRulesIn(context, gate, action)).length > 1

/** Gates whose rules refuse the action until a gate is open. */
export const gatesAwaitedBy = (context: AnalysisContext, action: AgentAction): readonly Gate[] =>
  context.dependencies
    .refusers(action)
    .filter(gate => blockingRulesIn(context, gate, action, isRefusedUntilOpen).length > 0)

/** Rules of the gate that refuse the action until a gate is open or closed. */
const blockingRulesIn = (
  { mayMust, profile, dependencies }: AnalysisContext,
  gate: Gate,
  action: AgentAction,
  isBlocking = isBlockingRule,
): readonly Rule[] =>
  rulesOf(gate).filter(
    rule =>
      isBlocking(rule, gate, action, { mayMust, profile, dependencies }) &&
      refusableEvents(action).some(event => mayRuleRefuse(rule, event, mayMust, profile, action.call?.isApproved)),
  )

/**
 * The nearest state in which a closed gate refuses the action, and from which no state is reachable in which it is allowed. Work that an
 * agent may not do while it runs may be done by another agent after its end, if the same rules block both.
 */
export function findUnreachableAction(
  context: AnalysisContext,
  { graph, system, classes }: Exploration,
  action: AgentAction,
): StateNode | undefined {
  const { actor, call } = action
  const agent =
    actor === 'main' ? actor : system.agents.find(type => classes.classOfAgent(type) === classes.classOfAgent(actor))
  if (!call || agent === undefined) return undefined
  const isThere = ({ liveAgent, isAwaitingPrompt }: SystemState, one: string): boolean =>
    one === 'main'
      ? !isAwaitingPrompt && (liveAgent === undefined || !system.profile.infersCallers)
      : liveAgent?.type === one
  const rules = system.program.gates.flatMap(gate =>
    blockingRulesIn(context, gate, action).map(rule => `${gate.id} ${rule.id}`),
  )
  const isBlocked = ({ session }: SystemState, one: string): boolean => {
    const { record } = system.evaluate(system.beginEvent(call, one), session, { approved: call.isApproved })
    return record.matches.some(
      match => rules.includes(`${match.gate} ${match.rule}`) && isRefusal(match.effect, 'tool.before', system.profile),
    )
  }
  const blocked = graph.nodes.map(({ state }) => (isThere(state, agent) ? isBlocked(state, agent) : undefined))
  if (!blocked.includes(true)) return undefined
  const others = ['main', ...system.agents].filter(
    one => one !== agent && actor !== 'main' && isBlockedLikewise(context, action, one),
  )
  const isFree = ({ state }: StateNode, at: number): boolean =>
    blocked[at] === false || others.some(other => isThere(state, other) && !isBlocked(state, other))
  const free = new Set(graph.nodes.filter(isFree))
  // a refusal that begins when gates open may be meant to be permanent
  if (gatesAwaitedBy(context, action).length === 0 && free.size > 0) return undefined
  const can = graph.canReach(node => free.has(node), { withPeople: true })
  return nearestNode(graph.nodes.filter((_, at) => blocked[at] === true && !can[at]))
}

/** Do all rules that block the action for its agent also block it for that agent? */
function isBlockedLikewise(context: AnalysisContext, action: AgentAction, agent: string): boolean {
  if (!action.call) return false
  const same = actionForCall(action.call, agent, context.profile)
  return context.program.gates.every(gate => {
    const other = blockingRulesIn(context, gate, same)
    return blockingRulesIn(context, gate, action).every(rule => other.includes(rule))
  })
}

/** Every gate can be opened, but the action is never allowed (livelock). */
export function reportUnreachableAction(
  context: AnalysisContext,
  action: AgentAction,
  transitions: readonly StateTransition[],
  state: SystemState,
): VerificationFinding | undefined {
  const blockingGates = context.dependencies
    .refusers(action)
    .filter(gate => blockingRulesIn(context, gate, action).length > 0)
  const result = context.evaluateAction(action, state)
  const gate = blockingGates.find(({ id }) => id === result?.record.gate) ?? blockingGates[0]
  if (!gate || !result) return undefined
  const conflicts = findConflictingActions(context, blockingGates)
  const names = blockingGates.map(gate => gate.name).join(' and ')
  return {
    kind: 'deadlock',
    livelock: true,
    what: `${gate.name} can be closed with no way left to do what it refuses`,
    clients: context.profile.clients,
    gate: gate.id,
    counterexample: [
      ...transitions,
      {
        step: { actor: action.actor, ending: 'refused', ...(action.call && { call: action.call }) },
        results: [result],
      },
    ],
    why: [
      `\`${describeAction(action)}\` is allowed only where ${names} ${blockingGates.length > 1 ? 'allow' : 'allows'} it, and no such state can be reached`,
      ...conflicts.map(
        conflict =>
          `\`${describeAction(conflict.action)}\` opens ${conflict.opens.name} and closes ${conflict.closes.name}`,
      ),
    ].join('; '),
    fix:
      conflicts.length > 0
        ? conflicts.slice(0, 2).map(conflict => ({
            at: conflict.at ?? conflict.closes.at ?? conflict.closes.id,
            advice: `let \`${describeAction(conflict.action)}\` leave ${conflict.closes.name} open`,
          }))
        : [{ at: gate.at ?? gate.id, advice: `let \`${describeAction(action)}\` pass where the others let it` }],
  }
}

interface ConflictingAction {
  readonly action: AgentAction
  readonly opens: Gate
  readonly closes: Gate
  readonly at?: string | undefined
}

/** Actions that open one of the gates and close another. */
function findConflictingActions(
  { dependencies, mayMust }: AnalysisContext,
  gates: readonly Gate[],
): readonly ConflictingAction[] {
  return gates.flatMap(opens =>
    gates.flatMap(closes => {
      if (opens === closes) return []
      const both = dependencies
        .movers(opens, 'open')
        .find(action => dependencies.movers(closes, 'closed').includes(action))
      const transition = closes.transitions.find(
        transition =>
          transition.to === 'closed' &&
          both?.events.some(event => mayTriggerTransition(transition, event, mayMust, both.call?.isApproved)),
      )
      return both ? [{ action: both, opens, closes, at: transition?.at }] : []
    }),
  )
}
