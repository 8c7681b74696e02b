import type { Gate, Rule } from '../../../engine/index.ts'
import { findAlwaysRefusingRule, isActionNeverPermitted } from '../abstraction/blocking-rules.ts'
import { isWorkPrompt } from '../abstraction/input-partitioning/prompt-classes.ts'
import type { AnalysisContext, Exploration } from '../analysis-context.ts'
import type { Obligation } from '../obligation.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { type AgentAction, actionForCall, isRefusal, refusableEvents } from '../system/agent-action.ts'
import { promptAction } from '../system/lifecycle-actions.ts'
import type { StateNode } from '../system/reachability-graph.ts'
import type { SystemState } from '../system/state/system-state.ts'
import type { StateTransition } from '../system/step.ts'
import { nearestNode } from './deadlock.ts'
import { findTrappedTurn, mainAgentCalls } from './ending/trapped-turn.ts'

/** Findings for a main agent that can do nothing at all, even if no gate is deadlocked. */
export function findTotalBlocks(context: AnalysisContext): readonly VerificationFinding[] {
  const found = findAllPromptsRefused(context) ?? findAllCallsRefused(context) ?? findNoDelegation(context)
  return [...(found ? [found] : []), ...findRefusedCompaction(context), ...(found ? [] : findTrappedTurn(context))]
}

/** Every prompt is refused in every state. */
function findAllPromptsRefused(context: AnalysisContext): VerificationFinding | undefined {
  const prompts = context.prompts.filter(isWorkPrompt).map(promptAction)
  return reportAllRefused(
    context,
    prompts,
    'every prompt of the user',
    'allow some prompts: narrow `when`, or exempt some with `unless`',
  )
}

/** Every call is refused in every state. */
const findAllCallsRefused = (context: AnalysisContext): VerificationFinding | undefined =>
  reportAllRefused(
    context,
    mainAgentCalls(context),
    'every call of the main agent',
    'allow some calls: narrow `when`, or exempt some with `unless`',
  )

function reportAllRefused(
  context: AnalysisContext,
  actions: readonly AgentAction[],
  all: string,
  advice: string,
): VerificationFinding | undefined {
  const refusing = refusingAll(context, actions)
  const [first] = refusing
  if (!first) return undefined
  const names = [...new Set(refusing.map(ruleLabel))].slice(0, 4)
  return totalBlockFinding(
    context,
    actions.slice(0, 1),
    first,
    `${names.join(' and ')} refuse${names.length > 1 ? '' : 's'} ${all}`,
    advice,
  )
}

/**
 * Can the main agent get to where every call, or every prompt, is refused for good? Only where each of its calls or each prompt may
 * be refused: one that is free is enough.
 */
export function lastingBlockObligations(context: AnalysisContext): readonly Obligation[] {
  const { dependencies } = context
  const calls = mainAgentCalls(context)
  const areRefusable = calls.length > 0 && calls.every(action => dependencies.refusers(action).length > 0)
  if (!areRefusable && !dependencies.mayRefuseEveryPrompt) return []
  const property = {
    findViolation: findLastingBlock,
    report: (transitions: readonly StateTransition[], at: SystemState) => reportLastingBlock(context, transitions, at),
  }
  return [
    {
      cone: dependencies.cone([], areRefusable ? calls : []),
      properties: [property],
      hasSafeSuggestions: true,
      merged: [],
    },
  ]
}

/** The nearest state in which every call of the main agent is refused, and from which nothing that may happen leads out. */
function findLastingBlock({ graph, system, calls }: Exploration): StateNode | undefined {
  const isAnyCallAllowed = ({ session, isAwaitingPrompt }: SystemState): boolean =>
    !isAwaitingPrompt &&
    calls.some(call => {
      const { outcome } = system.evaluate(system.beginEvent(call, 'main'), session, { approved: call.isApproved })
      return !isRefusal(outcome.decision, 'tool.before', system.profile)
    })
  const at = new Map(graph.nodes.map(({ state }, nth) => [state.key, nth]))
  const predecessors: number[][] = graph.nodes.map(() => [])
  const isFree = graph.nodes.map(({ expanded, state }) => !expanded || isAnyCallAllowed(state))
  if (!isFree.includes(false)) return undefined
  for (const [nth, { state, expanded }] of graph.nodes.entries())
    if (expanded) for (const { to } of system.transitionsFrom(state)) predecessors[at.get(to.key) ?? -1]?.push(nth)
  const queue = isFree.flatMap((one, nth) => (one ? nth : []))
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const from of predecessors[next] ?? [])
      if (!isFree[from]) {
        isFree[from] = true
        queue.push(from)
      }
  return nearestNode(graph.nodes.filter((_, nth) => !isFree[nth]))
}

function reportLastingBlock(
  context: AnalysisContext,
  transitions: readonly StateTransition[],
  at: SystemState,
): VerificationFinding | undefined {
  const isAwaiting = at.isAwaitingPrompt
  const action = isAwaiting ? context.prompts.filter(isWorkPrompt).map(promptAction)[0] : mainAgentCalls(context)[0]
  const result = action && context.evaluateAction(action, at)
  const gate = context.program.gates.find(gate => gate.id === result?.record.gate)
  const rule = gate?.rules.find(rule => rule.id === result?.record.rule)
  if (!action || !result || !gate) return undefined
  const [event] = action.events
  const step = {
    actor: action.actor,
    ending: 'refused' as const,
    ...(action.call ? { call: action.call } : event && { event }),
  }
  return {
    kind: 'deadlock',
    what: 'the main agent can reach a state in which it can do nothing',
    ...{ clients: context.profile.clients, gate: gate.id },
    counterexample: [...transitions, { step, results: [result] }],
    why: `from then on every ${isAwaiting ? 'prompt' : 'call'} is refused (${gate.name}'s rule ${result.record.rule}), and nothing that may happen changes that`,
    fix: [
      {
        at: rule?.at ?? gate.at ?? gate.id,
        advice: `allow some ${isAwaiting ? 'prompts' : 'calls'}: narrow \`when\`, or add a transition that moves the gate back`,
      },
    ],
  }
}

/** All work is left to subagents, and no subagent may be spawned. */
function findNoDelegation(context: AnalysisContext): VerificationFinding | undefined {
  const { profile, program, mayMust, agents } = context
  const calls = mainAgentCalls(context)
  const spawns = calls.filter(action => action.spawns !== undefined)
  const works = [
    ...calls.filter(({ call }) => call?.beforeEvent.call?.acts.some(({ action }) => WORK_ACTIONS.has(action))),
    ...plainWrite(context),
  ]
  const isOthers = ({ call }: AgentAction): boolean =>
    call !== undefined &&
    agents.some(type => !isActionNeverPermitted(actionForCall(call, type, profile), program, { mayMust, profile }))
  const [spawned] = refusingAll(context, spawns)
  const work = spawned && refusingAll(context, works).length > 0 ? works.find(isOthers) : undefined
  const workRefusal = work && findRefusingRule(context, work)
  if (!spawned || !workRefusal) return undefined
  const why = `${ruleLabel(workRefusal)} leaves all work to subagents, and ${ruleLabel(spawned)} denies every spawn`
  return totalBlockFinding(
    context,
    [work, ...spawns.slice(0, 1)],
    spawned,
    why,
    'allow an agent to be spawned: exempt it with `unless: { agent: … }`',
  )
}

/** A write that no rule is about: where the policy does not tell writes from other calls, none was sampled. */
function plainWrite({ parser, profile }: AnalysisContext): readonly AgentAction[] {
  const short = { write: 'some.txt' }
  const predecessors = parser.parseEvent(short)
  return predecessors?.call
    ? [
        actionForCall(
          { shorthand: short, beforeEvent: predecessors, isApproved: false, isAttested: false },
          'main',
          profile,
        ),
      ]
    : []
}

const WORK_ACTIONS: ReadonlySet<string> = new Set(['write', 'delete', 'run'])

/** Every compaction is refused, so a full context can never be shortened. */
function findRefusedCompaction({ profile, program, mayMust }: AnalysisContext): readonly VerificationFinding[] {
  const event = { kind: 'compact.before', client: '', name: '', session: '', caller: { kind: 'main' } } as const
  const refusing = profile.sendsEvent(event.kind)
    ? findAlwaysRefusingRule(event, program, { mayMust, profile })
    : undefined
  if (!refusing) return []
  return [
    {
      kind: 'deadlock',
      what: 'the main agent can do nothing once its context is full',
      ...{
        clients: profile.clients,
        gate: refusing.gate.id,
        counterexample: [],
        why: `${ruleLabel(refusing)} refuses every compaction`,
      },
      fix: [
        {
          at: refusing.rule.at ?? refusing.gate.at ?? refusing.gate.id,
          advice: 'limit how often it denies: `limit: 1`',
        },
      ],
    },
  ]
}

interface RefusingRule {
  readonly gate: Gate
  readonly rule: Rule
}

const ruleLabel = ({ gate, rule }: RefusingRule): string => `${gate.name}'s rule ${rule.id}`

/** The rule that refuses the action in every state. */
function findRefusingRule(
  { program, mayMust, profile }: AnalysisContext,
  action: AgentAction,
): RefusingRule | undefined {
  for (const event of refusableEvents(action)) {
    const refusing = findAlwaysRefusingRule(event, program, { mayMust, profile }, action.call?.isApproved)
    if (refusing) return refusing
  }
  return undefined
}

/** The rules that refuse each of the actions in every state; empty if one is allowed. */
function refusingAll(context: AnalysisContext, actions: readonly AgentAction[]): readonly RefusingRule[] {
  const all: RefusingRule[] = []
  for (const action of actions) {
    const refusing = findRefusingRule(context, action)
    if (!refusing) return []
    all.push(refusing)
  }
  return all
}

function totalBlockFinding(
  context: AnalysisContext,
  actions: readonly AgentAction[],
  { gate, rule }: RefusingRule,
  why: string,
  advice: string,
): VerificationFinding {
  const { at } = context.replay([])
  return {
    kind: 'deadlock',
    what: 'the main agent can do nothing here',
    ...{ clients: context.profile.clients, gate: gate.id, why },
    counterexample: actions.flatMap(action => {
      const result = context.evaluateAction(action, at)
      const [event] = action.events
      const step = {
        actor: action.actor,
        ending: 'refused' as const,
        ...(action.call ? { call: action.call } : event && { event }),
      }
      return result ? [{ step, results: [result] }] : []
    }),
    fix: [{ at: rule.at ?? gate.at ?? gate.id, advice }],
  }
}
