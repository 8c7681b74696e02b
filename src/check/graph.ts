import type { Gate } from '../core/index.ts'
import type { State } from './state.ts'
import { isSame, type Step } from './step.ts'
import type { Move, World } from './world.ts'

export interface Node {
  readonly state: State
  readonly from: number
  readonly step?: Step
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
export type Role = 'own' | 'asked' | 'begun' | 'other' | 'never'

/** A person may be asked; only such states are passed. */
interface Journey {
  readonly people: boolean
  readonly via?: (node: Node) => boolean
  /** that somebody gives it work may itself be what helps */
  readonly isGiven?: boolean
  /** who spawned an agent waits until that has ended */
  readonly isAwaited?: boolean
}

export interface Bounds {
  /** states of one exploration */
  readonly states: number
  /** events judged, all in all */
  readonly events: number
}

/** Where an exploration may end before every way was followed. */
export interface Enough {
  readonly states: number
  isDone(): boolean
}

/** All states that can be reached, breadth first: the way back from each is a shortest one. */
export class Graph {
  readonly nodes: Node[] = []
  /** how many steps deep every way was followed; undefined: to the end */
  cutAt: number | undefined
  readonly #at = new Map<string, number>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.#add(world.states.first(), -1)
  }

  /** `roleOf`: who can bring the step about? `heard` is told of every move. */
  explore(
    bounds: Bounds & Partial<Enough>,
    roleOf: (step: Step) => Role,
    heard: (node: Node, move: Move) => void,
  ): void {
    // who only listens goes on counting first: what is told once a count is reached is not to be missed for what else there is
    const ahead: number[] = []
    const isCount = (from: State, to: State): boolean => bounds.isDone !== undefined && from.shape === to.shape
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
        if (node.state.live && !move.to.live && role === 'own') node.ended.push(...opensAtEnd(move))
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
    isGood: (node: Node) => boolean,
    { people, via = () => true, isGiven, isAwaited }: Journey,
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
  wayTo(node: Node): readonly Step[] {
    const steps: Step[] = []
    for (let at: Node | undefined = node; at?.step; at = this.nodes[at.from]) steps.unshift(at.step)
    return steps
  }

  /** What it opens for everybody, or for the main agent where each has its own. */
  /** Gates that the clock opens before the call is judged, and that the call closes again. One that is open only while a call runs is no way out. */
  #opens({ step, results: [first] }: Move): readonly string[] {
    const opened = first?.record.moves.flatMap(one => (one.to === 'open' ? one.gate : [])) ?? []
    if (opened.length === 0 || !step.call) return []
    const isByClock = ({ transitions }: Gate): boolean => transitions.some(one => one.clock && one.to === 'open')
    const own = this.#world.program.gates.filter(gate => step.by === 'main' || gate.scope !== 'agent').filter(isByClock)
    return opened.filter(id => own.some(gate => gate.id === id))
  }

  #add(state: State, from: number, step?: Step, depth = 0): number {
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

const opensAtEnd = ({ results }: Move): readonly string[] =>
  results.flatMap(({ session }) =>
    Object.entries(session.gates).flatMap(([key, { state }]) =>
      key.includes('@agent:') && state === 'open' ? [key] : [],
    ),
  )

/** The same steps once more, in a world with more gates: each as it went, and the one that went otherwise, if any. */
export function replay(
  world: World,
  steps: readonly Step[],
): { readonly moves: readonly Move[]; readonly at: State; readonly lost?: Move | undefined } {
  const moves: Move[] = []
  let at = world.states.first()
  for (const step of steps) {
    // with more gates other lengths are worth waiting; time passes all the same
    const all = step.seconds === undefined ? world.moves(at) : [world.wait(at, step.seconds)]
    const found = all.find(move => isSame(step, move.step))
    if (!found) return { moves, at, lost: all.find(move => move.step.call === step.call && move.step.by === step.by) }
    moves.push(found)
    at = found.to
  }
  return { moves, at }
}
