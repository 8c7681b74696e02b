import type { Gate } from '../../../engine/index.ts'
import { isSubagentInstance, type StateKey } from './state/state-keys.ts'
import type { SystemState } from './state/system-state.ts'
import type { StateTransition } from './step.ts'
import { isSameStep, type SystemStep } from './step.ts'
import type { TransitionSystem } from './transition-system.ts'

export interface StateNode {
  readonly state: SystemState
  readonly parent: number
  readonly step?: SystemStep
  readonly depth: number
  /** successors by an agent's own steps or by time */
  readonly successors: number[]
  /** subset of `successors`: steps not made by the main agent, which may be waiting for the agent it spawned */
  readonly successorsWithoutMain: number[]
  /** successors by asking a person to open an `opens: human` gate */
  readonly successorsByPerson: number[]
  /** successors when a person begins a turn or a session */
  readonly successorsByNewWork: number[]
  /** keys of per-agent gate states that are open when the agent ends */
  readonly openAtAgentEnd: string[]
  /** gates that time opens while a call is evaluated, even if the call closes them again */
  readonly openedByTime: Set<string>
  expanded: boolean
}

/** Initiator of a step: the agent itself, a person on request, a person with a new prompt, anything else, or impossible. */
export type StepInitiator = 'agent' | 'person' | 'new-work' | 'other' | 'impossible'

/** `withPeople`: steps by request to a person count. `via`: only these states may be passed. */
interface ReachabilityQuery {
  readonly withPeople: boolean
  readonly via?: (node: StateNode) => boolean
  /** a step by which a person begins work may itself lead to the goal */
  readonly withNewWork?: boolean
  /** the main agent waits until the agent it spawned has ended */
  readonly isMainWaiting?: boolean
}

export interface ExplorationBounds {
  /** bound on the states of one exploration */
  readonly states: number
  /** bound on all evaluated events and all transitions taken over from states of the same kind */
  readonly events: number
}

/** Lets an exploration stop before all reachable states are found. */
export interface StopCriterion {
  readonly states: number
  isDone(): boolean
}

/** All reachable states in breadth-first order, so the path back from each state is a shortest one. */
export class ReachabilityGraph {
  readonly nodes: StateNode[] = []
  /** the depth at which the exploration was cut short; undefined: it is complete */
  cutDepth: number | undefined
  readonly #indexByKey = new Map<StateKey, number>()
  readonly #system: TransitionSystem

  constructor(system: TransitionSystem) {
    this.#system = system
    this.#add(system.states.initial(), -1)
  }

  /** `initiatorOf` classifies the initiator of a step. `onTransition` is called with every transition. */
  explore(
    bounds: ExplorationBounds & Partial<StopCriterion>,
    initiatorOf: (step: SystemStep) => StepInitiator,
    onTransition: (node: StateNode, transition: StateTransition) => void,
  ): void {
    // with `isDone`, steps that only change counters go first: rules that fire at a threshold are then found within the bound
    const countSteps: number[] = []
    const isCountStep = (from: SystemState, to: SystemState): boolean =>
      bounds.isDone !== undefined && from.shape === to.shape
    for (let next = 0; next < this.nodes.length || countSteps.length > 0; ) {
      const at = countSteps.pop() ?? next++
      const node = this.nodes[at]
      if (!node || node.expanded) continue
      if (this.nodes.length > bounds.states || this.#system.cost > bounds.events || bounds.isDone?.()) {
        this.cutDepth = node.depth
        return
      }
      for (const transition of this.#system.transitionsFrom(node.state)) {
        const initiator = initiatorOf(transition.step)
        if (initiator === 'impossible') continue
        onTransition(node, transition)
        if (node.state.liveAgent && !transition.to.liveAgent && initiator === 'agent')
          node.openAtAgentEnd.push(...agentGatesOpenedAtEnd(transition))
        if (initiator === 'agent') for (const id of this.#gatesOpenedByTime(transition)) node.openedByTime.add(id)
        const size = this.nodes.length
        const to = this.#add(transition.to, at, transition.step, node.depth + 1)
        if (to === size && isCountStep(node.state, transition.to)) countSteps.push(to)
        if (to === at) continue
        const successors = {
          agent: node.successors,
          person: node.successorsByPerson,
          'new-work': node.successorsByNewWork,
          other: undefined,
        }[initiator]
        if (successors && !successors.includes(to)) successors.push(to)
        if (initiator === 'agent' && transition.step.actor !== 'main' && !node.successorsWithoutMain.includes(to))
          node.successorsWithoutMain.push(to)
      }
      node.expanded = true
    }
  }

  /** From which nodes can an agent reach a good node? Unexpanded nodes count as good. */
  canReach(
    isGood: (node: StateNode) => boolean,
    { withPeople, via = () => true, withNewWork, isMainWaiting }: ReachabilityQuery,
  ): readonly boolean[] {
    const reaches = this.nodes.map(node => (!node.expanded || isGood(node)) && via(node))
    const predecessors: number[][] = this.nodes.map(() => [])
    for (const [
      at,
      { state, successors, successorsWithoutMain, successorsByPerson, successorsByNewWork },
    ] of this.nodes.entries()) {
      const own = isMainWaiting && state.liveAgent ? successorsWithoutMain : successors
      for (const to of withPeople ? [...own, ...successorsByPerson] : own) predecessors[to]?.push(at)
      for (const to of successorsByNewWork) if (withNewWork || !reaches[to]) predecessors[to]?.push(at)
    }
    const queue = reaches.flatMap((isReaching, at) => (isReaching ? [at] : []))
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const from of predecessors[at] ?? []) {
        const node = this.nodes[from]
        if (reaches[from] || !node || !via(node)) continue
        reaches[from] = true
        queue.push(from)
      }
    return reaches
  }

  /** The shortest path to this node from the initial state. */
  pathTo(node: StateNode): readonly SystemStep[] {
    const steps: SystemStep[] = []
    for (let at: StateNode | undefined = node; at?.step; at = this.nodes[at.parent]) steps.unshift(at.step)
    return steps
  }

  /** Gates that time opens before the call is evaluated, even if the call closes them. A gate open only during a call is no way out. */
  #gatesOpenedByTime({ step, results: [first] }: StateTransition): readonly string[] {
    const opened = first?.record.moves.flatMap(move => (move.to === 'open' ? move.gate : [])) ?? []
    if (opened.length === 0 || !step.call) return []
    const isByClock = ({ transitions }: Gate): boolean =>
      transitions.some(transition => transition.clock && transition.to === 'open')
    const own = this.#system.program.gates
      .filter(gate => step.actor === 'main' || gate.scope !== 'agent')
      .filter(isByClock)
    return opened.filter(id => own.some(gate => gate.id === id))
  }

  #add(state: SystemState, from: number, step?: SystemStep, depth = 0): number {
    const known = this.#indexByKey.get(state.key)
    if (known !== undefined) return known
    const at = this.nodes.length
    this.#indexByKey.set(state.key, at)
    this.nodes.push({
      state,
      parent: from,
      depth,
      successors: [],
      successorsWithoutMain: [],
      successorsByPerson: [],
      successorsByNewWork: [],
      openAtAgentEnd: [],
      openedByTime: new Set(),
      expanded: false,
      ...(step && { step }),
    })
    return at
  }
}

const agentGatesOpenedAtEnd = ({ results }: StateTransition): readonly string[] =>
  results.flatMap(({ session }) =>
    Object.entries(session.gates).flatMap(([key, { state }]) =>
      isSubagentInstance(key) && state === 'open' ? [key] : [],
    ),
  )

/** Replays the steps in a system with more gates. `divergence` is the transition that differs, if any. */
export function replaySteps(
  system: TransitionSystem,
  steps: readonly SystemStep[],
): {
  readonly transitions: readonly StateTransition[]
  readonly state: SystemState
  readonly divergence?: StateTransition | undefined
} {
  const transitions: StateTransition[] = []
  let at = system.states.initial()
  for (const step of steps) {
    // a system with more gates has other waiting times, but any time may pass
    const all = step.seconds === undefined ? system.transitionsFrom(at) : [system.wait(at, step.seconds)]
    const found = all.find(transition => isSameStep(step, transition.step))
    if (!found)
      return {
        transitions,
        state: at,
        divergence: all.find(transition => transition.step.call === step.call && transition.step.actor === step.actor),
      }
    transitions.push(found)
    at = found.to
  }
  return { transitions, state: at }
}
