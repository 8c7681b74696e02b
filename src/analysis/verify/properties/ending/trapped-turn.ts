import type { AnalysisContext } from '../../analysis-context.ts'
import type { VerificationFinding } from '../../report/finding.ts'
import type { AgentAction } from '../../system/agent-action.ts'
import { TURN_END_ACTION } from '../../system/lifecycle-actions.ts'
import { waitDurations } from '../../system/time-steps.ts'

/** One call of the main agent for each equivalence class. */
export const mainAgentCalls = ({ representativeActions }: AnalysisContext): readonly AgentAction[] =>
  representativeActions.filter(({ actor, call }) => actor === 'main' && call)

/** While a timer runs, every call and the end of the turn are refused, so the agent cannot wait. */
export function findTrappedTurn(context: AnalysisContext): readonly VerificationFinding[] {
  const { dependencies, program, profile } = context
  const calls = mainAgentCalls(context)
  const mayTurnBeRefused = profile.sendsEvent('turn.stop') && dependencies.refusers(TURN_END_ACTION).length > 0
  if (
    !mayTurnBeRefused ||
    waitDurations(program).length === 0 ||
    calls.some(action => dependencies.refusers(action).length === 0)
  )
    return []
  const { graph, system } = context.explore(dependencies.cone([], [...calls, TURN_END_ACTION]), () => undefined, {
    states: MAX_STATES,
  })
  const moves = (at: number) => {
    const node = graph.nodes[at]
    return node
      ? system
          .transitionsFrom(node.state)
          .filter(({ step }) => step.actor !== 'time' && step.actor !== 'person' && step.actor !== 'client')
      : []
  }
  const isTrapped = (at: number): boolean => {
    const own = moves(at)
    return own.length > 0 && own.every(({ step }) => step.ending === 'refused')
  }
  const keys = new Map(graph.nodes.map(({ state }, at) => [state.key, at]))
  let locked = new Set(graph.nodes.flatMap((_, at) => (isTrapped(at) ? [at] : [])))
  for (let size = -1; size !== locked.size; ) {
    size = locked.size
    locked = new Set([...locked].filter(at => moves(at).every(({ to }) => locked.has(keys.get(to.key) ?? -1))))
  }
  const first = Math.min(...locked)
  const node = graph.nodes[first]
  if (!node) return []
  const { at, moves: counterexample, isReplayed } = context.replay(graph.pathTo(node))
  const stop = context.evaluateAction(TURN_END_ACTION, at)
  const gate = program.gates.find(gate => gate.id === stop?.record.gate)
  if (!isReplayed || !stop || !gate) return []
  return [
    {
      kind: 'cannot-end',
      what: 'the main agent can reach a state in which everything is denied until time passes',
      ...{ clients: profile.clients, gate: gate.id },
      counterexample: [
        ...counterexample,
        {
          step: { actor: 'main', ending: 'refused', ...(TURN_STOP_EVENT && { event: TURN_STOP_EVENT }) },
          results: [stop],
        },
      ],
      why: `every call is refused, and so is the end of the turn (${gate.name}'s rule ${stop.record.rule})`,
      fix: [
        {
          at: gate.at ?? gate.id,
          advice:
            'allow the turn to end: match only calls in `when` (`event: tool.before`), or limit how often it denies: `limit: 1`',
        },
      ],
    },
  ]
}

const MAX_STATES = 400
const [TURN_STOP_EVENT] = TURN_END_ACTION.events
