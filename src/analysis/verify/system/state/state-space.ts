import type { SinceCondition } from '../../../../engine/index.ts'
import {
  type Gate,
  type GateTimestamp,
  type GateVariables,
  newSession,
  type Program,
  type Session,
} from '../../../../engine/index.ts'
import { isClosedByPrompt } from '../../abstraction/condition-atoms.ts'
import {
  type CanonicalGate,
  createGateVariables,
  gateTimestampKey,
  toGateVariables,
  transferUnchanged,
} from '../../abstraction/gate-variables.ts'
import {
  counterRegionOf,
  type GateStateAbstraction,
  gateStateAbstractionOf,
  pruneCapture,
  referencedCaptures,
} from '../../abstraction/state-abstraction.ts'
import { canonicalizeAgents, isLiveAgentKey, type LiveAgent } from '../agents/live-agents.ts'
import { type ControlState, controlKey } from './control-state.ts'
import {
  gateIdOf,
  isSubagentInstance,
  mainInstanceOf,
  regionKey,
  type StateKey,
  shapeKey,
  stateKey,
} from './state-keys.ts'
import type { ReachedState, SystemState } from './system-state.ts'

export const START_TIME = 1_000_000_000_000
const START_TURN = 1000

const NONE_WAITING: Session['waiting'] = []

export class StateSpace {
  readonly #cache = new Map<StateKey, SystemState>()
  readonly #canonicalGates = new Map<string, CanonicalGate>()
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
    const initialGates = this.#program.gates.flatMap(gate =>
      gate.initial
        ? [
            [
              gate,
              { ...createGateVariables(gate.initial, mark), ...(gate.scope === 'project' && { turns: START_TURN }) },
            ] as const,
          ]
        : [],
    )
    const gatesWith = (shared: boolean) =>
      Object.fromEntries(
        initialGates.flatMap(([gate, memory]) =>
          (gate.scope === 'project') === shared ? [[mainInstanceOf(gate), memory]] : [],
        ),
      )
    const session: Session = {
      ...newSession('proof', this.#root, START_TIME),
      turn: START_TURN,
      gates: gatesWith(false),
      shared: gatesWith(true),
    }
    return this.reduce(session, { isAwaitingPrompt: this.#mayRefuseEveryPrompt })
  }

  /** Reduces a session: all values that no later event can distinguish become equal. */
  reduce(unreduced: Session, control: ControlState): SystemState {
    const { liveAgent, isAwaitingPrompt, pendingCall } = control
    const session = liveAgent && unreduced.spawns.length > 0 ? canonicalizeAgents(unreduced) : unreduced
    const started =
      this.#isTurnOfStartRelevant && liveAgent
        ? Object.entries(session.begun ?? {})
            .filter(([key]) => isLiveAgentKey(key, liveAgent, session))
            .sort(([a], [b]) => (a < b ? -1 : 1))
        : []
    const rankTurn = started.length > 0 ? this.#turnOrder(session, started) : undefined
    const gates = this.#canonicalGatesOf(session.gates, session, liveAgent, rankTurn)
    const shared = this.#canonicalGatesOf(session.shared, session, liveAgent, rankTurn)
    const agentStarts = started.map(([key, turn]) => [key, rankTurn?.(turn) ?? turn] as const)
    const spawns = liveAgent ? session.spawns : []
    const isOfLiveAgent = ({ call, moves }: Session['waiting'][number]): boolean =>
      call === liveAgent?.spawnEvent.call?.id && moves.length > 0
    // the end of the call applies only the first pending entry
    const pendingEffects = liveAgent ? session.waiting.filter(isOfLiveAgent).slice(0, 1) : NONE_WAITING
    const controls = controlKey(control)
    const inFlight = liveAgent
      ? JSON.stringify([
          spawns,
          pendingEffects.map(pendingEffect => pendingEffect.moves),
          agentStarts,
          liveAgent.type,
          controls,
        ])
      : controls
    const key = stateKey(`${gates.map(gate => gate.key).join()}/${shared.map(gate => gate.key).join()}/${inFlight}`)
    const known = this.#cache.get(key)
    if (known) return known
    const all = [...gates, ...shared]
    const region = regionKey(`${all.map(gate => gate.region).join()}/${inFlight}`)
    const shape = shapeKey(`${all.map(gate => gate.shape).join()}/${inFlight}`)
    const canonical: Session = {
      ...newSession('proof', this.#root, START_TIME),
      ...{ turn: START_TURN, gates: toGateVariables(gates), shared: toGateVariables(shared), spawns },
      waiting: pendingEffects,
      ...(agentStarts.length > 0 && { begun: Object.fromEntries(agentStarts) }),
    }
    const state: SystemState = {
      ...{ session: canonical, key, region, shape, isAwaitingPrompt },
      ...(liveAgent && { liveAgent }),
      ...(pendingCall !== undefined && { pendingCall }),
    }
    this.#cache.set(key, state)
    return state
  }

  #canonicalGatesOf(
    memories: Session['gates'],
    session: Session,
    liveAgent: LiveAgent | undefined,
    rankTurn: ((turn: number) => number) | undefined,
  ): readonly CanonicalGate[] {
    const ids = Object.keys(memories).filter(id => liveAgent !== undefined || !isSubagentInstance(id))
    return ids.sort().flatMap(id => {
      const variables = memories[id]
      return variables ? [this.#intern(id, this.#canonicalize(gateIdOf(id), variables, session, rankTurn))] : []
    })
  }

  /** The variables of a gate are stored once: most events leave most of them unchanged. */
  #intern(id: string, variables: GateVariables): CanonicalGate {
    const { state, changed, opened, closed, fired, captured } = variables
    const suffix = fired || captured ? JSON.stringify([fired, captured]) : ''
    const key = `${id}:${state}${gateTimestampKey(changed)}${opened ? gateTimestampKey(opened) : ''}+${closed ? gateTimestampKey(closed) : ''}${suffix}`
    const known = this.#canonicalGates.get(key)
    if (known) return known
    const shape = `${id}:${state}${suffix}`
    const interned = {
      id,
      variables,
      key: `${this.#canonicalGates.size}`,
      region: `${shape}${this.#regionOf(id, variables)}`,
      shape,
    }
    this.#canonicalGates.set(key, interned)
    return interned
  }

  #regionOf(id: string, variables: GateVariables): string {
    const abstraction = this.#abstractions.get(gateIdOf(id))
    const marks = (['opened', 'closed', 'changed'] as const).map(name => {
      const mark = variables[name]
      if (!mark || !abstraction) return mark ? gateTimestampKey(mark) : ''
      const { turns, operations } = abstraction.thresholds[name]
      const turn = abstraction.isClosedByPrompt ? `${mark.turn}` : counterRegionOf(START_TURN - mark.turn, turns)
      return `${mark.at} ${turn} ${counterRegionOf(-mark.operations, operations)}`
    })
    return `|${marks.join('|')}`
  }

  /** Does the state belong to this space? Other spaces may count other thresholds. */
  has = (state: SystemState): boolean => this.#cache.get(state.key) === state

  /** Reduces the session that an event left, and keeps the original. */
  reach(unreduced: Session, control: ControlState): ReachedState {
    return { to: this.reduce(unreduced, control), unreduced }
  }

  /** The same transition from another state of that region: unchanged variables come from the other state. */
  transfer({ to, unreduced }: ReachedState, from: SystemState, other: SystemState): SystemState {
    const gates = transferUnchanged(unreduced.gates, from.session.gates, other.session.gates)
    const shared = transferUnchanged(unreduced.shared, from.session.shared, other.session.shared)
    return this.reduce({ ...unreduced, gates, shared }, to)
  }

  /** The state in which a second session begins: project gates keep their state, everything else is initial. */
  startSession(state: SystemState): SystemState {
    const initial = this.initial()
    return this.reduce({ ...initial.session, shared: state.session.shared }, initial)
  }

  /** Only time passes. */
  afterSeconds(state: SystemState, seconds: number): SystemState {
    const older = (mark: GateTimestamp): GateTimestamp => ({ ...mark, at: mark.at - seconds * 1000 })
    const ageAll = (memories: Session['gates']): Session['gates'] =>
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
    return this.reduce({ ...session, gates: ageAll(session.gates), shared: ageAll(session.shared) }, state)
  }

  /** The state after a person opens the gate. */
  openByPerson(state: SystemState, gate: Gate): SystemState {
    const mark = { at: START_TIME, turn: START_TURN, operations: 0 }
    const open = (memories: Session['gates']): Session['gates'] =>
      Object.fromEntries(
        Object.entries(memories).map(([key, variables]) =>
          gateIdOf(key) === gate.id
            ? [key, { ...variables, ...createGateVariables('open', mark), operations: variables.operations }]
            : [key, variables],
        ),
      )
    const { session } = state
    return this.reduce({ ...session, gates: open(session.gates), shared: open(session.shared) }, state)
  }

  /** Replaces turn numbers of agent starts and gate closings by their order: conditions depend on nothing else. */
  #turnOrder(
    { gates, shared, turn }: Session,
    started: readonly (readonly [string, number])[],
  ): (turn: number) => number {
    const closed = Object.values({ ...gates, ...shared }).flatMap(variables => variables.closed?.turn ?? [])
    const turns = [...new Set([turn, ...started.map(([, began]) => began), ...closed])].sort((a, b) => b - a)
    return one => START_TURN - turns.indexOf(one)
  }

  #canonicalize(
    id: string,
    variables: GateVariables,
    session: Session,
    rankTurn: ((turn: number) => number) | undefined,
  ): GateVariables {
    const abstraction = this.#abstractions.get(id)
    if (!abstraction) return variables
    const { caps, isClosedByPrompt, fields, limits } = abstraction
    const turn = variables.turns ?? session.turn
    // a gate that counts turns since its closing keeps the numbers; it may then treat an early agent as a late one
    const isOrdered = rankTurn !== undefined && isClosedByPrompt && caps.closed.turns === 0
    const isCounted = (mark: SinceCondition['mark']): boolean => Object.values(caps[mark]).some(cap => cap > 0)
    const canonicalMark = (name: SinceCondition['mark'], mark: GateTimestamp): GateTimestamp => ({
      at: START_TIME - Math.min(caps[name].seconds * 1000, START_TIME - mark.at),
      turn:
        name === 'closed' && isOrdered
          ? rankTurn(mark.turn)
          : START_TURN - Math.min(caps[name].turns, turn - mark.turn),
      operations: -Math.min(caps[name].operations, variables.operations - mark.operations),
    })
    const { opened, closed, changed, captured } = variables
    const fired = Object.entries(variables.fired ?? {}).map(([rule, times]) => [
      rule,
      Math.min(times, limits[rule] ?? 0),
    ])
    return {
      state: variables.state,
      operations: 0,
      ...(variables.turns !== undefined && { turns: START_TURN }),
      changed: isCounted('changed')
        ? canonicalMark('changed', changed)
        : { at: START_TIME, turn: START_TURN, operations: 0 },
      ...(opened && isCounted('opened') && { opened: canonicalMark('opened', opened) }),
      ...(closed && (isCounted('closed') || isOrdered) && { closed: canonicalMark('closed', closed) }),
      ...(fired.length > 0 && { fired: Object.fromEntries(fired) }),
      ...(captured && fields.length > 0 && { captured: pruneCapture({ ...captured }, fields) }),
    }
  }
}
