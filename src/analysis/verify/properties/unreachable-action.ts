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
import { isAwaitingPrompt } from '../system/pending-calls.ts'
import type { StateNode } from '../system/reachability-graph.ts'
import type { SystemState } from '../system/state-space.ts'
import type { StateTransition } from '../system/step.ts'
import { nearestNode } from './deadlock.ts'

/** Actions that closed gates may refuse, one representative for each equivalence class. */
export function findGuardedActions(inquiry: AnalysisContext): readonly AgentAction[] {
  const { representativeActions, program } = inquiry
  if (program.gates.every(gate => gate.initial === undefined)) return []
  // approved calls are allowed more, so they are checked instead
  const asksApproval = representativeActions.some(({ call }) => call?.isApproved)
  const spawned = new Set(inquiry.dependencies.actions.map(deed => deed.spawns))
  const works = representativeActions.filter(
    ({ actor, call }) =>
      call &&
      (actor === 'main' || spawned.has(actor)) &&
      !call.isAttested &&
      call.isApproved === asksApproval &&
      // an action with several parts may combine parts that are never allowed together
      actionsOf(call.beforeEvent).length === 1,
  )
  return works.filter(deed => gatesAwaitedBy(inquiry, deed).length > 0 || isBlockedAlternately(inquiry, deed))
}

/** Several rules refuse the action, each in other gate states: when one stops refusing, another may start. */
const isBlockedAlternately = (inquiry: AnalysisContext, deed: AgentAction): boolean =>
  inquiry.dependencies.refusers(deed).flatMap(gate => blockingRulesIn(inquiry, gate, deed)).length > 1

/** Gates whose rules refuse the action until a gate is open. */
export const gatesAwaitedBy = (inquiry: AnalysisContext, deed: AgentAction): readonly Gate[] =>
  inquiry.dependencies
    .refusers(deed)
    .filter(gate => blockingRulesIn(inquiry, gate, deed, isRefusedUntilOpen).length > 0)

/** Rules of the gate that refuse the action until a gate is open or closed. */
const blockingRulesIn = (
  { mayMust, profile, dependencies }: AnalysisContext,
  gate: Gate,
  deed: AgentAction,
  isIt = isBlockingRule,
): readonly Rule[] =>
  rulesOf(gate).filter(
    rule =>
      isIt(rule, gate, deed, { mayMust, profile, dependencies }) &&
      refusableEvents(deed).some(event => mayRuleRefuse(rule, event, mayMust, profile, deed.call?.isApproved)),
  )

/**
 * The nearest state in which a closed gate refuses the action, and from which no state is reachable in which it is allowed. Work that an
 * agent may not do while it runs may be done by another agent after its end, if the same rules block both.
 */
export function findUnreachableAction(
  inquiry: AnalysisContext,
  { graph, system, classes }: Exploration,
  deed: AgentAction,
): StateNode | undefined {
  const { actor, call } = deed
  const who =
    actor === 'main' ? actor : system.agents.find(type => classes.classOfAgent(type) === classes.classOfAgent(actor))
  if (!call || who === undefined) return undefined
  const isThere = ({ liveAgent, session }: SystemState, one: string): boolean =>
    one === 'main'
      ? !isAwaitingPrompt(session) && (liveAgent === undefined || !system.profile.infersCallers)
      : liveAgent?.type === one
  const rules = system.program.gates.flatMap(gate =>
    blockingRulesIn(inquiry, gate, deed).map(rule => `${gate.id} ${rule.id}`),
  )
  const isBarred = ({ session }: SystemState, one: string): boolean => {
    const { record } = system.evaluate(system.beginEvent(call, one), session, { approved: call.isApproved })
    return record.matches.some(
      match => rules.includes(`${match.gate} ${match.rule}`) && isRefusal(match.effect, 'tool.before', system.profile),
    )
  }
  const barred = graph.nodes.map(({ state }) => (isThere(state, who) ? isBarred(state, who) : undefined))
  if (!barred.includes(true)) return undefined
  const others = ['main', ...system.agents].filter(
    one => one !== who && actor !== 'main' && isBlockedLikewise(inquiry, deed, one),
  )
  const isFree = ({ state }: StateNode, at: number): boolean =>
    barred[at] === false || others.some(one => isThere(state, one) && !isBarred(state, one))
  const free = new Set(graph.nodes.filter(isFree))
  // a refusal that begins when gates open may be meant to be permanent
  if (gatesAwaitedBy(inquiry, deed).length === 0 && free.size > 0) return undefined
  const can = graph.canReach(node => free.has(node), { withPeople: true })
  return nearestNode(graph.nodes.filter((_, at) => barred[at] === true && !can[at]))
}

/** Do all rules that block the action for its agent also block it for `who`? */
function isBlockedLikewise(inquiry: AnalysisContext, deed: AgentAction, who: string): boolean {
  if (!deed.call) return false
  const same = actionForCall(deed.call, who, inquiry.profile)
  return inquiry.program.gates.every(gate => {
    const other = blockingRulesIn(inquiry, gate, same)
    return blockingRulesIn(inquiry, gate, deed).every(rule => other.includes(rule))
  })
}

/** Every gate can be opened, but the action is never allowed (livelock). */
export function reportUnreachableAction(
  inquiry: AnalysisContext,
  deed: AgentAction,
  moves: readonly StateTransition[],
  state: SystemState,
): VerificationFinding | undefined {
  const waited = inquiry.dependencies.refusers(deed).filter(one => blockingRulesIn(inquiry, one, deed).length > 0)
  const result = inquiry.evaluateAction(deed, state)
  const gate = waited.find(({ id }) => id === result?.record.gate) ?? waited[0]
  if (!gate || !result) return undefined
  const undoing = findConflictingActions(inquiry, waited)
  const names = waited.map(one => one.name).join(' and ')
  return {
    kind: 'deadlock',
    livelock: true,
    what: `${gate.name} can be closed with no way left to do what it refuses`,
    on: inquiry.profile.clients,
    gate: gate.id,
    story: [
      ...moves,
      { step: { actor: deed.actor, ending: 'refused', ...(deed.call && { call: deed.call }) }, results: [result] },
    ],
    why: [
      `\`${describeAction(deed)}\` is let through only where ${names} ${waited.length > 1 ? 'let' : 'lets'} it, and no way leads there`,
      ...undoing.map(one => `\`${describeAction(one.action)}\` opens ${one.opens.name} and closes ${one.closes.name}`),
    ].join('; '),
    fix:
      undoing.length > 0
        ? undoing.slice(0, 2).map(one => ({
            at: one.at ?? one.closes.at ?? one.closes.id,
            advice: `let \`${describeAction(one.action)}\` leave ${one.closes.name} open`,
          }))
        : [{ at: gate.at ?? gate.id, advice: `let \`${describeAction(deed)}\` pass where the others let it` }],
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
      const both = dependencies.movers(opens, 'open').find(deed => dependencies.movers(closes, 'closed').includes(deed))
      const step = closes.transitions.find(
        one =>
          one.to === 'closed' &&
          both?.events.some(event => mayTriggerTransition(one, event, mayMust, both.call?.isApproved)),
      )
      return both ? [{ action: both, opens, closes, at: step?.at }] : []
    }),
  )
}
