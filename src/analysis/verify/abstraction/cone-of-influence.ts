import type { Event, EventKind, Gate, GateState, Program, Transition } from '../../../engine/index.ts'
import {
  type AgentAction,
  actionForCall,
  mayGateAsk,
  mayGateRefuse,
  mayTriggerTransition,
  refusableEvents,
} from '../system/agent-action.ts'
import { toCallEndEvent } from '../system/call-endings.ts'
import type { ClientProfile } from '../system/client-profile.ts'
import { promptAction, stopAction, TURN_END_ACTION } from '../system/lifecycle-actions.ts'
import { atomsOf, gatesReadBy, triggerEventKinds } from './condition-atoms.ts'
import { favourableStatesForGate, isFreshClosingUseful } from './favourable-states.ts'
import type { PolicyConstants } from './input-partitioning/policy-constants.ts'
import { isWorkPrompt } from './input-partitioning/prompt-classes.ts'
import type { MayMustEvaluator } from './may-must-evaluator.ts'
import { hasOperationCounter, mayCountEvent } from './operation-counters.ts'
import type { SampleCall } from './residual-condition.ts'

/** Cone of influence: the gates that can influence whether a goal becomes possible, and the actions that can achieve it. */
export interface ConeOfInfluence {
  readonly gates: ReadonlySet<Gate>
  readonly actions: ReadonlyMap<string, AgentAction>
  /** gates that a person may open only by the prompts in `actions` */
  readonly promptedGates?: readonly Gate[]
}

/** All actions possible on one client, and which gates influence which. Computed without states, by may-analysis. */
export class DependencyGraph {
  readonly actions: readonly AgentAction[]
  readonly program: Program
  /** the call that requests an approval, if a gate may refuse it */
  readonly approvalRequest: SampleCall | undefined
  readonly #profile: ClientProfile
  readonly #mayMust: MayMustEvaluator
  /** gates that may refuse prompts, if every prompt may be refused; else empty */
  readonly #promptRefusers: readonly Gate[]
  readonly #refusers = new Map<AgentAction, readonly Gate[]>()
  readonly #askingGatesByAction = new Map<AgentAction, readonly Gate[]>()
  readonly #movers = new Map<string, readonly AgentAction[]>()
  readonly #countedCallsByActor = new Map<string, readonly AgentAction[]>()
  readonly #spawnersByType = new Map<string, readonly AgentAction[]>()
  readonly #events: ReadonlyMap<EventKind, readonly (readonly [Event, AgentAction])[]>

  constructor(
    program: Program,
    profile: ClientProfile,
    calls: readonly SampleCall[],
    { agents, prompts }: Pick<PolicyConstants, 'agents' | 'prompts'>,
    mayMust: MayMustEvaluator,
    order?: SampleCall,
  ) {
    this.program = program
    this.#profile = profile
    this.#mayMust = mayMust
    const usable = calls.filter(call => !call.isAttested || !profile.reportsExit)
    this.actions = [
      ...['main', ...agents].flatMap(actor => usable.map(call => actionForCall(call, actor, profile))),
      ...(profile.sendsEvent('agent.stop') ? agents.map(type => stopAction(type, profile)) : []),
      ...(profile.sendsEvent('turn.stop') ? [TURN_END_ACTION] : []),
    ]
    this.#events = byKind(this.actions)
    const isApprovalUsed = order !== undefined && usable.some(call => call.isApproved)
    this.approvalRequest =
      isApprovalUsed && this.refusers(actionForCall(order, 'main', profile)).length > 0 ? order : undefined
    const refusers = prompts.filter(isWorkPrompt).map(prompt => this.refusers(promptAction(prompt)))
    this.#promptRefusers = refusers.every(each => each.length > 0) ? [...new Set(refusers.flat())] : []
  }

  /** Every prompt may be refused, so the main agent may have to wait for an allowed prompt. */
  get mayRefuseEveryPrompt(): boolean {
    return this.#promptRefusers.length > 0
  }

  /** A code gate with `onError: closed` may refuse anything, and if every prompt may be refused, no agent may be at work. */
  get isUnpredictable(): boolean {
    return (
      this.mayRefuseEveryPrompt || this.program.gates.some(gate => gate.code !== undefined && gate.onError === 'closed')
    )
  }

  /** The cone of influence of opening these gates and doing these actions. */
  cone(targets: readonly Gate[], goals: readonly AgentAction[]): ConeOfInfluence {
    const gates = new Set<Gate>()
    const actions = new Map<string, AgentAction>()
    const addGate = (gate: Gate): void => {
      if (gates.has(gate)) return
      gates.add(gate)
      for (const other of gatesReadBy(gate, this.program)) addGate(other)
    }
    const addAction = (action: AgentAction): void => {
      if (actions.has(action.key)) return
      actions.set(action.key, action)
      for (const gate of this.refusers(action)) addGate(gate)
      for (const other of this.#spawnersOf(action)) addAction(other)
    }
    for (const gate of [...targets, ...this.#promptRefusers]) addGate(gate)
    for (const goal of goals) addAction(goal)
    for (let size = -1; size !== gates.size + actions.size; ) {
      size = gates.size + actions.size
      for (const gate of [...gates])
        for (const action of this.#contributingActions(gate, gates, actions)) addAction(action)
      for (const action of [...actions.values()])
        if (this.#mayMoveAny(action, gates)) this.#askingGates(action).forEach(addGate)
      // a live agent has to end before another can start
      const spawns =
        this.#profile.infersCallers ||
        [...actions.values()].some(
          action => (action.actor !== 'main' && action.actor !== 'person') || action.spawns !== undefined,
        )
      if (spawns) for (const action of this.actions) if (action.events[0]?.kind === 'agent.stop') addAction(action)
    }
    return { gates, actions }
  }

  refusers(action: AgentAction): readonly Gate[] {
    const known = this.#refusers.get(action)
    if (known) return known
    const { call } = action
    const requestRefusers =
      call?.isApproved && this.approvalRequest
        ? this.refusers(actionForCall(this.approvalRequest, action.actor, this.#profile))
        : []
    const found = this.program.gates.filter(
      gate =>
        requestRefusers.includes(gate) ||
        refusableEvents(action).some(event =>
          mayGateRefuse(gate, event, this.#mayMust, this.#profile, call?.isApproved),
        ),
    )
    this.#refusers.set(action, found)
    return found
  }

  /** A gate that asks a person delays the transitions of the action, so it belongs to the cone too. */
  #askingGates(action: AgentAction): readonly Gate[] {
    const known = this.#askingGatesByAction.get(action)
    if (known) return known
    const askableEvents = refusableEvents(action).filter(({ kind }) => this.#profile.canAsk(kind))
    const found = this.program.gates.filter(gate =>
      askableEvents.some(event => mayGateAsk(gate, event, this.#mayMust, action.call?.isApproved)),
    )
    this.#askingGatesByAction.set(action, found)
    return found
  }

  #mayMoveAny(action: AgentAction, gates: ReadonlySet<Gate>): boolean {
    const askableEvents = refusableEvents(action).filter(({ kind }) => this.#profile.canAsk(kind))
    return [...gates].some(gate =>
      gate.transitions.some(transition =>
        askableEvents.some(event => mayTriggerTransition(transition, event, this.#mayMust, action.call?.isApproved)),
      ),
    )
  }

  /** Actions that may move the gate to this state. */
  movers(gate: Gate, to: GateState): readonly AgentAction[] {
    const key = `${gate.id} ${to}`
    const known = this.#movers.get(key)
    if (known) return known
    const found = this.triggersOf(gate.transitions.filter(transition => transition.to === to))
    this.#movers.set(key, found)
    return found
  }

  /** Actions that may trigger one of these transitions. */
  triggersOf(transitions: readonly Transition[]): readonly AgentAction[] {
    const found = new Set<AgentAction>()
    for (const transition of transitions)
      for (const kind of triggerEventKinds(transition))
        for (const [event, action] of this.#events.get(kind) ?? [])
          if (!found.has(action) && mayTriggerTransition(transition, event, this.#mayMust, action.call?.isApproved))
            found.add(action)
    return found.size === 0 ? [] : this.actions.filter(action => found.has(action))
  }

  /** A call whose success would open the gate, on a client that does not report the status of such calls. */
  findUnreportedOpener(gate: Gate): AgentAction | undefined {
    return this.actions.find(action => {
      const { call, events } = action
      const [begun] = events
      if (!call || call.isAttested || !begun || this.#profile.reportsStatus(begun)) return false
      const succeeded = toCallEndEvent(begun, 'tool.after', 'succeeded')
      return gate.transitions.some(
        transition =>
          transition.to === 'open' &&
          !isInputDependent(transition) &&
          mayTriggerTransition(transition, succeeded, this.#mayMust, call.isApproved),
      )
    })
  }

  #contributingActions(
    gate: Gate,
    gates: ReadonlySet<Gate>,
    actions: ReadonlyMap<string, AgentAction>,
  ): readonly AgentAction[] {
    if (gate.initial === undefined) return []
    const isNeededClosed = [...gates].some(other =>
      favourableStatesForGate(other).some(([id, state]) => id === gate.id && state === 'closed'),
    )
    const isRead = gate.transitions.some(transition => transition.capture)
    // time-based transitions are checked when an event arrives
    const counts = hasOperationCounter(gate) || gate.transitions.some(transition => transition.clock)
    return [
      ...this.movers(gate, 'open'),
      ...(isNeededClosed || isRead || isFreshClosingUseful(gate) ? this.movers(gate, 'closed') : []),
      ...this.countedBy(gate),
      ...(counts ? actorsIn(actions).flatMap(actor => this.#countedCallsOf(actor)) : []),
    ]
  }

  /** Actions that the gate's own `counts` condition may count, if the gate has an operation threshold. */
  countedBy(gate: Gate): readonly AgentAction[] {
    if (gate.counts === undefined || !hasOperationCounter(gate)) return []
    return this.actions.filter(({ events, call }) =>
      events.some(event => mayCountEvent(gate, event, this.#mayMust, call?.isApproved)),
    )
  }

  /** A call that no gate refuses and that moves no gate can represent all counted calls. Without one, every call is included. */
  #countedCallsOf(actor: string): readonly AgentAction[] {
    const known = this.#countedCallsByActor.get(actor)
    if (known) return known
    const calls = this.actions.filter(action => action.call && action.actor === actor)
    const free = calls.find(action => this.refusers(action).length === 0 && !this.#mayMoveAnyGate(action))
    const found = free ? [free] : calls
    this.#countedCallsByActor.set(actor, found)
    return found
  }

  #mayMoveAnyGate({ events, call }: AgentAction): boolean {
    return this.program.gates.some(({ transitions }) =>
      transitions.some(transition =>
        events.some(event => mayTriggerTransition(transition, event, this.#mayMust, call?.isApproved)),
      ),
    )
  }

  /** Actions that must come first: a subagent has to be spawned before it acts or stops. */
  #spawnersOf({ actor }: AgentAction): readonly AgentAction[] {
    if (actor === 'main') return []
    const known = this.#spawnersByType.get(actor)
    if (known) return known
    const found = this.actions.filter(action => action.spawns === actor && action.actor === 'main')
    this.#spawnersByType.set(actor, found)
    return found
  }
}

/** Indexes the events of all actions by kind. */
function byKind(actions: readonly AgentAction[]): ReadonlyMap<EventKind, readonly (readonly [Event, AgentAction])[]> {
  const byKind = new Map<EventKind, (readonly [Event, AgentAction])[]>()
  for (const action of actions)
    for (const event of action.events) {
      const same = byKind.get(event.kind)
      if (same) same.push([event, action])
      else byKind.set(event.kind, [[event, action]])
    }
  return byKind
}

/** Every actor of the cone: an agent makes progress only by its own actions. */
const actorsIn = (actions: ReadonlyMap<string, AgentAction>): readonly string[] =>
  [...new Set(['main', ...[...actions.values()].map(action => action.actor)])].filter(actor => actor !== 'person')

/** A command may match this input too, and not every such command was sampled with `signalbox run`. */
const isInputDependent = ({ when }: Transition): boolean =>
  atomsOf(when).some(({ key }) => key === 'input' || key === 'text' || key === 'assigns')
