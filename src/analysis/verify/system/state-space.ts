import type { SinceCondition } from '../../../engine/index.ts'
import { type Gate, type GateVariables, newSession, type Program, type Session } from '../../../engine/index.ts'
import { isClosedByPrompt } from '../abstraction/condition-atoms.ts'
import {
  type CanonicalMemory,
  createGateMemory,
  type Mark,
  markKey,
  toGateMemories,
  transferUnchanged,
} from '../abstraction/gate-memories.ts'
import {
  counterRegionOf,
  type GateStateAbstraction,
  gateStateAbstractionOf,
  pruneCapture,
  referencedCaptures,
} from '../abstraction/state-abstraction.ts'
import { canonicalizeAgents, isLiveAgentKey, type LiveAgent } from './agents/live-agents.ts'
import { isVerifierMarker, setAwaitingPrompt } from './pending-calls.ts'

/** A state of the transition system, reduced to what later events can distinguish. Equivalent states have the same key. */
export interface SystemState {
  readonly session: Session
  readonly liveAgent?: LiveAgent
  readonly key: string
  /** counter abstraction: states of a kind differ only in counts far from every threshold, so they have the same transitions */
  readonly region: string
  /** states of one shape differ only in counts */
  readonly shape: string
}

/** A state and the unreduced session it came from. Unchanged parts of that session are the same objects as before. */
export interface ReachedState {
  readonly to: SystemState
  readonly unreduced: Session
}

export const START_TIME = 1_000_000_000_000
const START_TURN = 1000

const NONE_WAITING: Session['waiting'] = []

export class StateSpace {
  readonly #cache = new Map<string, SystemState>()
  readonly #canonicalGates = new Map<string, CanonicalMemory>()
  readonly #abstractions: ReadonlyMap<string, GateStateAbstraction>
  readonly #program: Program
  readonly #root: string
  readonly #mayRefuseEveryPrompt: boolean
  /** a prompt closes a gate, so the turn in which an agent began matters */
  readonly #isTurnOfStartRelevant: boolean

  constructor(program: Program, root: string, { mayRefuseEveryPrompt }: { readonly mayRefuseEveryPrompt: boolean }) {
    this.#mayRefuseEveryPrompt = mayRefuseEveryPrompt
    this.#program = program
    this.#root = root
    this.#isTurnOfStartRelevant = program.gates.some(isClosedByPrompt)
    const names = referencedCaptures(program)
    this.#abstractions = new Map(program.gates.map(gate => [gate.id, gateStateAbstractionOf(gate, names)]))
  }

  initial(): SystemState {
    const mark = { at: START_TIME, turn: START_TURN, operations: 0 }
    const stamped = this.#program.gates.flatMap(gate =>
      gate.initial
        ? [
            [
              gate,
              { ...createGateMemory(gate.initial, mark), ...(gate.scope === 'project' && { turns: START_TURN }) },
            ] as const,
          ]
        : [],
    )
    const keyOf = (gate: Gate): string => (gate.scope === 'agent' ? `${gate.id}@main` : gate.id)
    const those = (shared: boolean) =>
      Object.fromEntries(
        stamped.flatMap(([gate, memory]) => ((gate.scope === 'project') === shared ? [[keyOf(gate), memory]] : [])),
      )
    const session: Session = {
      ...newSession('proof', this.#root, START_TIME),
      turn: START_TURN,
      gates: those(false),
      shared: those(true),
    }
    return this.reduce(setAwaitingPrompt(session, this.#mayRefuseEveryPrompt))
  }

  /** Reduces a session: all values that no later event can distinguish become equal. */
  reduce(given: Session, live?: LiveAgent): SystemState {
    const session = live && given.spawns.length > 0 ? canonicalizeAgents(given) : given
    const begun =
      this.#isTurnOfStartRelevant && live
        ? Object.entries(session.begun ?? {})
            .filter(([key]) => isLiveAgentKey(key, live, session))
            .sort(([a], [b]) => (a < b ? -1 : 1))
        : []
    const rank = begun.length > 0 ? this.#turnOrder(session, begun) : undefined
    const gates = this.#canonicalGatesOf(session.gates, session, live, rank)
    const shared = this.#canonicalGatesOf(session.shared, session, live, rank)
    const early = begun.map(([key, turn]) => [key, rank?.(turn) ?? turn] as const)
    const spawns = live ? session.spawns : []
    const marks = session.waiting.some(isVerifierMarker) ? session.waiting.filter(isVerifierMarker) : NONE_WAITING
    const holds = ({ call, moves }: Session['waiting'][number]): boolean =>
      call === live?.spawnEvent.call?.id && moves.length > 0
    // the end of the call applies only the first pending entry
    const held = live ? session.waiting.filter(holds).slice(0, 1) : NONE_WAITING
    const waiting = marks.length > 0 ? [...held, ...marks] : held
    const awaited = marks
      .map(one => one.call)
      .sort()
      .join()
    const flight = live ? JSON.stringify([spawns, held.map(one => one.moves), early, live.type, awaited]) : awaited
    const key = `${gates.map(one => one.key).join()}/${shared.map(one => one.key).join()}/${flight}`
    const known = this.#cache.get(key)
    if (known) return known
    const all = [...gates, ...shared]
    const kind = `${all.map(one => one.region).join()}/${flight}`
    const shape = `${all.map(one => one.shape).join()}/${flight}`
    const settled: Session = {
      ...newSession('proof', this.#root, START_TIME),
      ...{ turn: START_TURN, gates: toGateMemories(gates), shared: toGateMemories(shared), spawns, waiting },
      ...(early.length > 0 && { begun: Object.fromEntries(early) }),
    }
    const state = { session: settled, key, region: kind, shape, ...(live && { liveAgent: live }) }
    this.#cache.set(key, state)
    return state
  }

  #canonicalGatesOf(
    memories: Session['gates'],
    session: Session,
    live: LiveAgent | undefined,
    rank: ((turn: number) => number) | undefined,
  ): readonly CanonicalMemory[] {
    const ids = Object.keys(memories).filter(id => live !== undefined || !id.includes('@agent:'))
    return ids.sort().flatMap(id => {
      const memory = memories[id]
      return memory ? [this.#intern(id, this.#canonicalize(id.split('@')[0] ?? id, memory, session, rank))] : []
    })
  }

  /** Each gate memory is stored once: most events leave most memories unchanged. */
  #intern(id: string, memory: GateVariables): CanonicalMemory {
    const { state, changed, opened, closed, fired, captured } = memory
    const more = fired || captured ? JSON.stringify([fired, captured]) : ''
    const key = `${id}:${state}${markKey(changed)}${opened ? markKey(opened) : ''}+${closed ? markKey(closed) : ''}${more}`
    const known = this.#canonicalGates.get(key)
    if (known) return known
    const shape = `${id}:${state}${more}`
    const kept = {
      id,
      variables: memory,
      key: `${this.#canonicalGates.size}`,
      region: `${shape}${this.#regionOf(id, memory)}`,
      shape,
    }
    this.#canonicalGates.set(key, kept)
    return kept
  }

  #regionOf(id: string, memory: GateVariables): string {
    const meter = this.#abstractions.get(id.split('@')[0] ?? id)
    const marks = (['opened', 'closed', 'changed'] as const).map(name => {
      const mark = memory[name]
      if (!mark || !meter) return mark ? markKey(mark) : ''
      const { turns, operations } = meter.thresholds[name]
      const turn = meter.isClosedByPrompt ? `${mark.turn}` : counterRegionOf(START_TURN - mark.turn, turns)
      return `${mark.at} ${turn} ${counterRegionOf(-mark.operations, operations)}`
    })
    return `|${marks.join('|')}`
  }

  /** Does the state belong to this space? Other spaces may count other thresholds. */
  has = (state: SystemState): boolean => this.#cache.get(state.key) === state

  /** Reduces the session that an event left, and keeps the original. */
  reach(left: Session, live?: LiveAgent): ReachedState {
    return { to: this.reduce(left, live), unreduced: left }
  }

  /** The same transition from another state of that kind: unchanged memories come from the other state. */
  transfer({ to, unreduced }: ReachedState, from: SystemState, other: SystemState): SystemState {
    const gates = transferUnchanged(unreduced.gates, from.session.gates, other.session.gates)
    const shared = transferUnchanged(unreduced.shared, from.session.shared, other.session.shared)
    return this.reduce({ ...unreduced, gates, shared }, to.liveAgent)
  }

  /** The state in which a second session begins: project gates keep their state, everything else is initial. */
  startSession(state: SystemState): SystemState {
    return this.reduce({ ...this.initial().session, shared: state.session.shared })
  }

  /** Only time passes. */
  afterSeconds(state: SystemState, seconds: number): SystemState {
    const older = (mark: Mark): Mark => ({ ...mark, at: mark.at - seconds * 1000 })
    const aged = (memories: Session['gates']): Session['gates'] =>
      Object.fromEntries(
        Object.entries(memories).map(([key, { opened, closed, changed, ...rest }]) => [
          key,
          {
            ...rest,
            changed: older(changed),
            ...(opened && { opened: older(opened) }),
            ...(closed && { closed: older(closed) }),
          },
        ]),
      )
    const { session } = state
    return this.reduce({ ...session, gates: aged(session.gates), shared: aged(session.shared) }, state.liveAgent)
  }

  /** The state after a person opens the gate. */
  openByPerson(state: SystemState, gate: Gate): SystemState {
    const mark = { at: START_TIME, turn: START_TURN, operations: 0 }
    const open = (memories: Session['gates']): Session['gates'] =>
      Object.fromEntries(
        Object.entries(memories).map(([key, memory]) =>
          key.split('@')[0] === gate.id
            ? [key, { ...memory, ...createGateMemory('open', mark), operations: memory.operations }]
            : [key, memory],
        ),
      )
    const { session } = state
    return this.reduce({ ...session, gates: open(session.gates), shared: open(session.shared) }, state.liveAgent)
  }

  /** Replaces turn numbers of agent starts and gate closings by their order: conditions depend on nothing else. */
  #turnOrder(
    { gates, shared, turn }: Session,
    begun: readonly (readonly [string, number])[],
  ): (turn: number) => number {
    const closed = Object.values({ ...gates, ...shared }).flatMap(memory => memory.closed?.turn ?? [])
    const turns = [...new Set([turn, ...begun.map(([, began]) => began), ...closed])].sort((a, b) => b - a)
    return one => START_TURN - turns.indexOf(one)
  }

  #canonicalize(
    id: string,
    memory: GateVariables,
    session: Session,
    rank: ((turn: number) => number) | undefined,
  ): GateVariables {
    const meter = this.#abstractions.get(id)
    if (!meter) return memory
    const { caps, isClosedByPrompt, fields, limits } = meter
    const turn = memory.turns ?? session.turn
    // a gate that counts turns since its closing keeps the numbers; it may then treat an early agent as a late one
    const isOrdered = rank !== undefined && isClosedByPrompt && caps.closed.turns === 0
    const isKept = (mark: SinceCondition['mark']): boolean => Object.values(caps[mark]).some(cap => cap > 0)
    const settle = (name: SinceCondition['mark'], mark: Mark): Mark => ({
      at: START_TIME - Math.min(caps[name].seconds * 1000, START_TIME - mark.at),
      turn:
        name === 'closed' && isOrdered ? rank(mark.turn) : START_TURN - Math.min(caps[name].turns, turn - mark.turn),
      operations: -Math.min(caps[name].operations, memory.operations - mark.operations),
    })
    const { opened, closed, changed, captured } = memory
    const fired = Object.entries(memory.fired ?? {}).map(([rule, times]) => [rule, Math.min(times, limits[rule] ?? 0)])
    return {
      state: memory.state,
      operations: 0,
      ...(memory.turns !== undefined && { turns: START_TURN }),
      changed: isKept('changed') ? settle('changed', changed) : { at: START_TIME, turn: START_TURN, operations: 0 },
      ...(opened && isKept('opened') && { opened: settle('opened', opened) }),
      ...(closed && (isKept('closed') || isOrdered) && { closed: settle('closed', closed) }),
      ...(fired.length > 0 && { fired: Object.fromEntries(fired) }),
      ...(captured && fields.length > 0 && { captured: pruneCapture({ ...captured }, fields) }),
    }
  }
}
