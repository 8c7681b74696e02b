import type { Gate } from '../../../engine/index.ts'
import type { SystemState } from './state-space.ts'
import { isSameStep, type SystemStep } from './step.ts'
import type { StateTransition, TransitionSystem } from './transition-system.ts'

export interface StateNode {
  readonly state: SystemState
  readonly from: number
  readonly step?: SystemStep
  readonly depth: number
  /** where an agent can get to on its own */
  readonly next: number[]
  /** of these, where the agent in flight gets to while whoever spawned it waits */
  readonly alone: number[]
  /** and where by asking a person to open what only people open */
  readonly asked: number[]
  /** and where once somebody gives it work */
  readonly begun: number[]
  /** memories of an agent that its own end opens */
  readonly ended: string[]
  /** gates that are open while something is judged that an agent does there, whatever becomes of them by its end */
  readonly seenOpen: Set<string>
  expanded: boolean
}

/** An agent by itself, a person who is asked, or gives it work; anybody else; or it does not happen. */
export type StepInitiator = 'own' | 'asked' | 'begun' | 'other' | 'never'

/** A person may be asked; only such states are passed. */
interface ReachabilityQuery {
  readonly people: boolean
  readonly via?: (node: StateNode) => boolean
  /** that somebody gives it work may itself be what helps */
  readonly isGiven?: boolean
  /** who spawned an agent waits until that has ended */
  readonly isAwaited?: boolean
}

export interface ExplorationBounds {
  /** states of one exploration */
  readonly states: number
  /** events judged, all in all */
  readonly events: number
}

/** Where an exploration may end before every way was followed. */
export interface StopCriterion {
  readonly states: number
  isDone(): boolean
}

/** All states that can be reached, breadth first: the way back from each is a shortest one. */
export class ReachabilityGraph {
  readonly nodes: StateNode[] = []
  /** how many steps deep every way was followed; undefined: to the end */
  cutAt: number | undefined
  readonly #at = new Map<string, number>()
  readonly #world: TransitionSystem

  constructor(world: TransitionSystem) {
    this.#world = world
    this.#add(world.states.first(), -1)
  }

  /** `roleOf`: who can bring the step about? `heard` is told of every move. */
  explore(
    bounds: ExplorationBounds & Partial<StopCriterion>,
    roleOf: (step: SystemStep) => StepInitiator,
    heard: (node: StateNode, move: StateTransition) => void,
  ): void {
    // who only listens goes on counting first: what is told once a count is reached is not to be missed for what else there is
    const ahead: number[] = []
    const isCount = (from: SystemState, to: SystemState): boolean =>
      bounds.isDone !== undefined && from.shape === to.shape
    for (let next = 0; next < this.nodes.length || ahead.length > 0; ) {
      const at = ahead.pop() ?? next++
      const node = this.nodes[at]
      if (!node || node.expanded) continue
      if (this.nodes.length > bounds.states || this.#world.evaluations > bounds.events || bounds.isDone?.()) {
        this.cutAt = node.depth
        return
      }
      for (const move of this.#world.moves(node.state)) {
        const role = roleOf(move.step)
        if (role === 'never') continue
        heard(node, move)
        if (node.state.live && !move.to.live && role === 'own') node.ended.push(...agentGatesOpenedAtEnd(move))
        if (role === 'own') for (const id of this.#opens(move)) node.seenOpen.add(id)
        const size = this.nodes.length
        const to = this.#add(move.to, at, move.step, node.depth + 1)
        if (to === size && isCount(node.state, move.to)) ahead.push(to)
        if (to === at) continue
        const ways = { own: node.next, asked: node.asked, begun: node.begun, other: undefined }[role]
        if (ways && !ways.includes(to)) ways.push(to)
        if (role === 'own' && move.step.by !== 'main' && !node.alone.includes(to)) node.alone.push(to)
      }
      node.expanded = true
    }
  }

  /** From which of them can an agent get to a node that is `good`? What was not followed to its end may be. */
  canReach(
    isGood: (node: StateNode) => boolean,
    { people, via = () => true, isGiven, isAwaited }: ReachabilityQuery,
  ): readonly boolean[] {
    const can = this.nodes.map(node => (!node.expanded || isGood(node)) && via(node))
    const before: number[][] = this.nodes.map(() => [])
    for (const [at, { state, next, alone, asked, begun }] of this.nodes.entries()) {
      const own = isAwaited && state.live ? alone : next
      for (const to of people ? [...own, ...asked] : own) before[to]?.push(at)
      for (const to of begun) if (isGiven || !can[to]) before[to]?.push(at)
    }
    const queue = can.flatMap((good, at) => (good ? [at] : []))
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const from of before[at] ?? []) {
        const node = this.nodes[from]
        if (can[from] || !node || !via(node)) continue
        can[from] = true
        queue.push(from)
      }
    return can
  }

  /** The steps that lead there from the start. */
  wayTo(node: StateNode): readonly SystemStep[] {
    const steps: SystemStep[] = []
    for (let at: StateNode | undefined = node; at?.step; at = this.nodes[at.from]) steps.unshift(at.step)
    return steps
  }

  /** What it opens for everybody, or for the main agent where each has its own. */
  /** Gates that the clock opens before the call is judged, and that the call closes again. One that is open only while a call runs is no way out. */
  #opens({ step, results: [first] }: StateTransition): readonly string[] {
    const opened = first?.record.moves.flatMap(one => (one.to === 'open' ? one.gate : [])) ?? []
    if (opened.length === 0 || !step.call) return []
    const isByClock = ({ transitions }: Gate): boolean => transitions.some(one => one.clock && one.to === 'open')
    const own = this.#world.program.gates.filter(gate => step.by === 'main' || gate.scope !== 'agent').filter(isByClock)
    return opened.filter(id => own.some(gate => gate.id === id))
  }

  #add(state: SystemState, from: number, step?: SystemStep, depth = 0): number {
    const known = this.#at.get(state.key)
    if (known !== undefined) return known
    const at = this.nodes.length
    this.#at.set(state.key, at)
    this.nodes.push({
      state,
      from,
      depth,
      next: [],
      alone: [],
      asked: [],
      begun: [],
      ended: [],
      seenOpen: new Set(),
      expanded: false,
      ...(step && { step }),
    })
    return at
  }
}

const agentGatesOpenedAtEnd = ({ results }: StateTransition): readonly string[] =>
  results.flatMap(({ session }) =>
    Object.entries(session.gates).flatMap(([key, { state }]) =>
      key.includes('@agent:') && state === 'open' ? [key] : [],
    ),
  )

/** The same steps once more, in a world with more gates: each as it went, and the one that went otherwise, if any. */
export function replaySteps(
  world: TransitionSystem,
  steps: readonly SystemStep[],
): {
  readonly moves: readonly StateTransition[]
  readonly at: SystemState
  readonly lost?: StateTransition | undefined
} {
  const moves: StateTransition[] = []
  let at = world.states.first()
  for (const step of steps) {
    // with more gates other lengths are worth waiting; time passes all the same
    const all = step.seconds === undefined ? world.moves(at) : [world.wait(at, step.seconds)]
    const found = all.find(move => isSameStep(step, move.step))
    if (!found) return { moves, at, lost: all.find(move => move.step.call === step.call && move.step.by === step.by) }
    moves.push(found)
    at = found.to
  }
  return { moves, at }
}
