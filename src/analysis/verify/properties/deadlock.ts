import type { Gate } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { AnalysisContext, Exploration } from '../analysis-context.ts'
import {
  type BlockingRule,
  isFromPack,
  suggestExemption,
  suggestFixes,
  suggestLimit,
  suggestOtherOpening,
} from '../fixes/policy-edit.ts'
import { type ActionRefusal, findRefusal, ruleLocation, uniqueRules } from '../report/action-refusals.ts'
import { describeAction } from '../report/descriptions.ts'
import type { CounterexampleStep, VerificationFinding } from '../report/finding.ts'
import { explainOpeningFailure } from '../report/opening-failure.ts'
import { explainUnopenableGate, openersOf } from '../strategies/gate-openers.ts'
import { type AgentAction, isRefusal, mayRuleRefuse, refusableEvents } from '../system/agent-action.ts'
import { TURN_END_ACTION } from '../system/lifecycle-actions.ts'
import type { StateNode } from '../system/reachability-graph.ts'
import { isMainInstance, isSubagentInstanceOf, isUnknownCallerInstance } from '../system/state/state-keys.ts'
import type { SystemState } from '../system/state/system-state.ts'
import type { StateTransition } from '../system/step.ts'
import { findInconclusiveReason } from './inconclusive.ts'

/** Keys of the gate's states: one, or one for each caller. States of live agents are checked by `findAgentDeadlock`. */
const gateInstances = ({ session, liveAgent }: SystemState, gate: Gate): readonly string[] => {
  const keys = Object.keys({ ...session.gates, ...session.shared })
  return keys.filter(
    key => isMainInstance(key, gate) || (isUnknownCallerInstance(key, gate) && liveAgent !== undefined),
  )
}
const gateStateOf = ({ session }: SystemState, key: string): string | undefined =>
  (session.gates[key] ?? session.shared[key])?.state

/** The nearest state in which the gate is closed and no action of an agent can open it any more. */
export function findDeadlock({ graph, system }: Exploration, gate: Gate): StateNode | undefined {
  const keys = [...new Set(graph.nodes.flatMap(node => gateInstances(node.state, gate)))]
  return nearestNode(
    keys.flatMap(key => {
      const isSeen = isMainInstance(key, gate)
      const isOpen = ({ state, openedByTime }: StateNode): boolean =>
        gateStateOf(state, key) !== 'closed' || (isSeen && openedByTime.has(gate.id))
      const can = graph.canReach(isOpen, { withPeople: true })
      if (!system.mayRefuseEveryPrompt) return graph.nodes.filter((_, at) => !can[at])
      // an opening prompt helps only an agent that waits for a prompt
      const withNewWork = graph.canReach(isOpen, { withPeople: true, withNewWork: true })
      return graph.nodes.filter(({ state }, at) => !(state.isAwaitingPrompt ? withNewWork : can)[at])
    }),
  )
}

/**
 * The nearest state in which the gate is closed for a live agent, refuses something to it, and stays closed while the agent runs.
 * The agent's end is no way out, but gates that its own end opens count as open.
 */
export function findAgentDeadlock({ graph, system, calls }: Exploration, gate: Gate): StateNode | undefined {
  const isOf = (key: string): boolean => isSubagentInstanceOf(key, gate)
  const keys = [...new Set(graph.nodes.flatMap(node => Object.keys(node.state.session.gates).filter(isOf)))]
  // with two live agents and inferred callers it is unknown whose gate state applies
  const isRefused = ({ liveAgent, session }: SystemState): boolean =>
    liveAgent !== undefined &&
    session.spawns.length < 2 &&
    calls.some(call => {
      const { record } = system.evaluate(system.beginEvent(call, liveAgent.type), session, {
        approved: call.isApproved,
      })
      return record.matches.some(
        match => match.gate === gate.id && isRefusal(match.effect, 'tool.before', system.profile),
      )
    })
  const deadlocked = keys.flatMap(key => {
    // the next agent of this type has its own gate state, so only states with a live agent count
    const can = graph.canReach(
      ({ state, openAtAgentEnd }) => gateStateOf(state, key) === 'open' || openAtAgentEnd.includes(key),
      {
        withPeople: true,
        via: ({ state }) => state.liveAgent !== undefined,
      },
    )
    return graph.nodes.filter(({ state }, at) => !can[at] && gateStateOf(state, key) === 'closed')
  })
  return deadlocked.sort((a, b) => a.depth - b.depth).find(({ state }) => isRefused(state))
}

/** The nearest state in which the turn cannot end. The engine breaks stop loops in the end, but a policy must not rely on that. */
export function findUnendableTurn({ graph, system }: Exploration): StateNode | undefined {
  const ends = ({ state }: StateNode): boolean =>
    state.isAwaitingPrompt || system.evaluateTurnEnd(state).outcome.decision !== 'deny'
  const can = graph.canReach(ends, { withPeople: false })
  return nearestNode(graph.nodes.filter((_, at) => !can[at]))
}

/** The nearest state in which an agent cannot end. The main agent waits for it and does not help. */
export function findUnendableAgent({ graph }: Exploration): StateNode | undefined {
  const can = graph.canReach(({ state }) => state.liveAgent === undefined, { withPeople: false, isMainWaiting: true })
  return nearestNode(graph.nodes.filter((_, at) => !can[at]))
}

export const nearestNode = (nodes: readonly StateNode[]): StateNode | undefined =>
  nodes.reduce<StateNode | undefined>((best, node) => (best && best.depth <= node.depth ? best : node), undefined)

const gateNameOf = ({ program }: AnalysisContext, id: string): string =>
  program.gates.find(gate => gate.id === id)?.name ?? id

interface RefusalChain {
  readonly why: readonly string[]
  readonly refusals: readonly ActionRefusal[]
  /** gates that would have to open */
  readonly gates: readonly Gate[]
  /** ids of the gates that the first gate waits for */
  readonly waitsFor: readonly string[]
}

/** Follows the chain of refusals: for each gate, the actions that would open it and the rules that refuse them. */
function buildRefusalChain(context: AnalysisContext, first: Gate, state: SystemState, agent?: string): RefusalChain {
  const why: string[] = []
  const refusals: ActionRefusal[] = []
  const queue = [first]
  const needs = new Set<string>()
  for (const gate of queue) {
    const wait = (next: Gate): void => {
      if (gate === first) needs.add(next.id)
      if (!queue.includes(next) && queue.length < 6) queue.push(next)
    }
    // another agent's action opens the gate only for that agent
    const openers = openersOf(context, gate).filter(
      ({ actor }) => agent === undefined || gate.scope !== 'agent' || actor === agent,
    )
    const refused = openers.flatMap(action => findRefusal(context, action, state) ?? [])
    const [refusal] = refused
    if (openers.length === 0) why.push(explainUnopenableGate(context, gate, agent))
    else if (!refusal) {
      const reasons = openers
        .slice(0, 4)
        .map(action => explainOpeningFailure(context, gate, action, describeAction(action), state))
      const reason = reasons.find(Boolean)
      why.push(
        reason?.explanation ??
          `what would open ${gate.name} (${describeAction(openers[0] ?? TURN_END_ACTION)}) does not open it here`,
      )
      reason?.nextGates.forEach(wait)
    } else {
      const owner = refusal.gate === gate.id ? 'its own' : `${gateNameOf(context, refusal.gate)}'s`
      why.push(
        `${gate.name} needs \`${describeAction(refusal.action)}\`, and ${owner} rule ${refusal.rule} refuses that`,
      )
    }
    refusals.push(...refused)
    for (const { gate: id } of refused.slice(0, 8)) {
      const next = context.program.gates.find(other => other.id === id)
      if (next?.initial !== undefined) wait(next)
    }
  }
  return { why, refusals, gates: queue, waitsFor: [...needs] }
}

/** The reason why the finding is not certain, if there is one. */
function inconclusiveOf(
  context: AnalysisContext,
  { refusals, gates }: RefusalChain,
  state: SystemState,
): Pick<VerificationFinding, 'inconclusiveReason'> {
  const rules = uniqueRules(refusals).flatMap(({ gate, rule }) => {
    const found = context.program.gates.find(other => other.id === gate)
    return found ? rulesOf(found).filter(other => other.id === rule) : []
  })
  const inconclusiveReason = findInconclusiveReason(context, {
    gates,
    rules,
    refusedActions: refusals.map(refusal => refusal.action),
    state,
  })
  return inconclusiveReason === undefined ? {} : { inconclusiveReason: inconclusiveReason }
}

/** `agent`: the agent for which a per-agent gate is closed. */
export function reportDeadlock(
  context: AnalysisContext,
  gate: Gate,
  transitions: readonly StateTransition[],
  state: SystemState,
  agent?: string,
): VerificationFinding {
  const links = buildRefusalChain(context, gate, state, agent)
  const { why, refusals } = links
  const rules = uniqueRules(refusals).slice(0, 4)
  const work = agent === undefined ? [] : findRefusalFor(context, gate, state, agent)
  return {
    kind: 'deadlock',
    what:
      agent === undefined
        ? `${gate.name} can be closed with no way left to open it`
        : `${gate.name} can be closed for the agent ${agent} with no way left to open it while that runs`,
    clients: context.profile.clients,
    gate: gate.id,
    waitsFor: links.waitsFor,
    counterexample: [...transitions, ...work.map(toRefusedStep), ...rules.map(toRefusedStep)],
    why: why.join('; '),
    ...inconclusiveOf(context, links, state),
    fix: suggestFixes(context, gate, rules.map(toBlockingRule)),
  }
}

/** An action that the gate refuses to this agent. */
function findRefusalFor(
  context: AnalysisContext,
  gate: Gate,
  state: SystemState,
  agent: string,
): readonly ActionRefusal[] {
  for (const action of context.dependencies.actions) {
    if (action.actor !== agent || !action.call || action.call.spawns !== undefined) continue
    const refusal = findRefusal(context, action, state)
    if (refusal?.gate === gate.id) return [refusal]
  }
  return []
}

const toBlockingRule = ({ action, gate, rule, at }: ActionRefusal): BlockingRule => ({
  ...{ gate, rule, at, actor: action.actor, call: action.call },
  callText: describeAction(action),
})

const toRefusedStep = ({ action, result }: ActionRefusal): CounterexampleStep => ({
  step: {
    actor: action.actor,
    ending: 'refused',
    ...(action.call ? { call: action.call } : action.events[0] && { event: action.events[0] }),
  },
  results: [result],
})

export function reportUnendable(
  context: AnalysisContext,
  action: AgentAction,
  transitions: readonly StateTransition[],
  state: SystemState,
): VerificationFinding {
  const refused = findRefusal(context, action, state)
  const gate = context.program.gates.find(gate => gate.id === refused?.gate)
  const links =
    gate?.initial === undefined
      ? { why: [], refusals: [], gates: [], waitsFor: [] }
      : buildRefusalChain(context, gate, state)
  const { why, refusals } = links
  const rules = uniqueRules([...(refused ? [refused] : []), ...refusals]).slice(0, 4)
  const agent = action === TURN_END_ACTION ? 'a turn' : `the agent ${action.actor}`
  const because = refused ? `${gateNameOf(context, refused.gate)}'s rule ${refused.rule} refuses it` : 'it is refused'
  return {
    kind: 'cannot-end',
    what: `${agent} can reach a state in which it cannot end`,
    clients: context.profile.clients,
    ...(gate && { gate: gate.id }),
    counterexample: [...transitions, ...rules.map(toRefusedStep)],
    why: [because, ...why].join('; '),
    ...inconclusiveOf(context, links, state),
    fix:
      rules.length > 0 ? suggestEndFixes(context, rules, refused) : suggestPossibleLimits(context, action).slice(0, 2),
  }
}

/** A rule of a pack stays as it is: something else has to open its gate. */
function suggestEndFixes(
  context: AnalysisContext,
  rules: readonly ActionRefusal[],
  refused: ActionRefusal | undefined,
): VerificationFinding['fix'] {
  const own = rules.filter(({ at }) => !isFromPack(at)).slice(0, 3)
  const gate = context.program.gates.find(({ id }) => id === rules[0]?.gate)
  if (own.length === 0) return gate ? [suggestOtherOpening(context, gate, rules.map(toBlockingRule))] : []
  return own.map(refusal =>
    refusal === refused ? suggestLimit(refusal) : suggestExemption(context, toBlockingRule(refusal)),
  )
}

/** If no rule refuses the action in this state: all rules that may ever refuse it. */
const suggestPossibleLimits = (context: AnalysisContext, action: AgentAction): VerificationFinding['fix'] =>
  context.dependencies.refusers(action).flatMap(gate =>
    rulesOf(gate)
      .filter(rule =>
        refusableEvents(action).some(event => mayRuleRefuse(rule, event, context.mayMust, context.profile)),
      )
      .map(rule => ({
        ...suggestLimit({ gate: gate.id, rule: rule.id, at: ruleLocation(context, gate.id, rule.id) }),
      })),
  )
