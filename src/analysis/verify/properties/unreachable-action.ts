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
  const { kinds, program } = inquiry
  if (program.gates.every(gate => gate.initial === undefined)) return []
  // approved calls are allowed more, so they are checked instead
  const asksApproval = kinds.some(({ call }) => call?.approved)
  const spawned = new Set(inquiry.field.deeds.map(deed => deed.spawns))
  const works = kinds.filter(
    ({ by, call }) =>
      call &&
      (by === 'main' || spawned.has(by)) &&
      !call.witnessed &&
      call.approved === asksApproval &&
      // an action with several parts may combine parts that are never allowed together
      actionsOf(call.before).length === 1,
  )
  return works.filter(deed => gatesAwaitedBy(inquiry, deed).length > 0 || isBlockedAlternately(inquiry, deed))
}

/** Several rules refuse the action, each in other gate states: when one stops refusing, another may start. */
const isBlockedAlternately = (inquiry: AnalysisContext, deed: AgentAction): boolean =>
  inquiry.field.refusers(deed).flatMap(gate => blockingRulesIn(inquiry, gate, deed)).length > 1

/** Gates whose rules refuse the action until a gate is open. */
export const gatesAwaitedBy = (inquiry: AnalysisContext, deed: AgentAction): readonly Gate[] =>
  inquiry.field.refusers(deed).filter(gate => blockingRulesIn(inquiry, gate, deed, isRefusedUntilOpen).length > 0)

/** Rules of the gate that refuse the action until a gate is open or closed. */
const blockingRulesIn = (
  { oracle, view, field }: AnalysisContext,
  gate: Gate,
  deed: AgentAction,
  isIt = isBlockingRule,
): readonly Rule[] =>
  rulesOf(gate).filter(
    rule =>
      isIt(rule, gate, deed, { oracle, view, field }) &&
      refusableEvents(deed).some(event => mayRuleRefuse(rule, event, oracle, view, deed.call?.approved)),
  )

/**
 * The nearest state in which a closed gate refuses the action, and from which no state is reachable in which it is allowed. Work that an
 * agent may not do while it runs may be done by another agent after its end, if the same rules block both.
 */
export function findUnreachableAction(
  inquiry: AnalysisContext,
  { graph, world, like }: Exploration,
  deed: AgentAction,
): StateNode | undefined {
  const { by, call } = deed
  const who = by === 'main' ? by : world.agents.find(type => like.ofAgent(type) === like.ofAgent(by))
  if (!call || who === undefined) return undefined
  const isThere = ({ live, session }: SystemState, one: string): boolean =>
    one === 'main' ? !isAwaitingPrompt(session) && (live === undefined || !world.view.inferred) : live?.type === one
  const rules = world.program.gates.flatMap(gate =>
    blockingRulesIn(inquiry, gate, deed).map(rule => `${gate.id} ${rule.id}`),
  )
  const isBarred = ({ session }: SystemState, one: string): boolean => {
    const { record } = world.ask(world.beginning(call, one), session, { approved: call.approved })
    return record.matches.some(
      match => rules.includes(`${match.gate} ${match.rule}`) && isRefusal(match.effect, 'tool.before', world.view),
    )
  }
  const barred = graph.nodes.map(({ state }) => (isThere(state, who) ? isBarred(state, who) : undefined))
  if (!barred.includes(true)) return undefined
  const others = ['main', ...world.agents].filter(
    one => one !== who && by !== 'main' && isBlockedLikewise(inquiry, deed, one),
  )
  const isFree = ({ state }: StateNode, at: number): boolean =>
    barred[at] === false || others.some(one => isThere(state, one) && !isBarred(state, one))
  const free = new Set(graph.nodes.filter(isFree))
  // a refusal that begins when gates open may be meant to be permanent
  if (gatesAwaitedBy(inquiry, deed).length === 0 && free.size > 0) return undefined
  const can = graph.canReach(node => free.has(node), { people: true })
  return nearestNode(graph.nodes.filter((_, at) => barred[at] === true && !can[at]))
}

/** Do all rules that block the action for its agent also block it for `who`? */
function isBlockedLikewise(inquiry: AnalysisContext, deed: AgentAction, who: string): boolean {
  if (!deed.call) return false
  const same = actionForCall(deed.call, who, inquiry.view)
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
  const waited = inquiry.field.refusers(deed).filter(one => blockingRulesIn(inquiry, one, deed).length > 0)
  const result = inquiry.answer(deed, state)
  const gate = waited.find(({ id }) => id === result?.record.gate) ?? waited[0]
  if (!gate || !result) return undefined
  const undoing = findConflictingActions(inquiry, waited)
  const names = waited.map(one => one.name).join(' and ')
  return {
    kind: 'deadlock',
    livelock: true,
    what: `${gate.name} can be closed with no way left to do what it refuses`,
    on: inquiry.view.clients,
    gate: gate.id,
    story: [
      ...moves,
      { step: { by: deed.by, end: 'refused', ...(deed.call && { call: deed.call }) }, results: [result] },
    ],
    why: [
      `\`${describeAction(deed)}\` is let through only where ${names} ${waited.length > 1 ? 'let' : 'lets'} it, and no way leads there`,
      ...undoing.map(one => `\`${describeAction(one.deed)}\` opens ${one.opens.name} and closes ${one.closes.name}`),
    ].join('; '),
    fix:
      undoing.length > 0
        ? undoing.slice(0, 2).map(one => ({
            at: one.at ?? one.closes.at ?? one.closes.id,
            advice: `let \`${describeAction(one.deed)}\` leave ${one.closes.name} open`,
          }))
        : [{ at: gate.at ?? gate.id, advice: `let \`${describeAction(deed)}\` pass where the others let it` }],
  }
}

interface ConflictingAction {
  readonly deed: AgentAction
  readonly opens: Gate
  readonly closes: Gate
  readonly at?: string | undefined
}

/** Actions that open one of the gates and close another. */
function findConflictingActions(
  { field, oracle }: AnalysisContext,
  gates: readonly Gate[],
): readonly ConflictingAction[] {
  return gates.flatMap(opens =>
    gates.flatMap(closes => {
      if (opens === closes) return []
      const both = field.movers(opens, 'open').find(deed => field.movers(closes, 'closed').includes(deed))
      const step = closes.transitions.find(
        one =>
          one.to === 'closed' &&
          both?.events.some(event => mayTriggerTransition(one, event, oracle, both.call?.approved)),
      )
      return both ? [{ deed: both, opens, closes, at: step?.at }] : []
    }),
  )
}
