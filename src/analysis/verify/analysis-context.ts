import type { EvaluationResult, Gate, Program } from '../../engine/index.ts'
import { type ConcurrentScenarios, findConcurrentScenarios, NO_CONCURRENCY } from './abstraction/concurrency.ts'
import { type ConeOfInfluence, DependencyGraph } from './abstraction/cone-of-influence.ts'
import { type EquivalenceClasses, representativesOf } from './abstraction/equivalence-classes.ts'
import type { Environment } from './abstraction/input-partitioning/environment-partition.ts'
import type { PolicyConstants } from './abstraction/input-partitioning/policy-constants.ts'
import type { MayMustEvaluator } from './abstraction/may-must-evaluator.ts'
import type { CallParser, SampleCall } from './abstraction/residual-condition.ts'
import type { AnalysisInputs } from './analysis-inputs.ts'
import { createTransitionSystem, stateWithLiveAgent } from './create-transition-system.ts'
import { stepInitiatorOf } from './step-initiator.ts'
import { actionClassOf, createApprovalRequestCall } from './system/action-identity.ts'
import type { AgentAction } from './system/agent-action.ts'
import type { ClientProfile } from './system/client-profile.ts'
import { ReachabilityGraph, replaySteps, type StateNode, type StopCriterion } from './system/reachability-graph.ts'
import type { SystemState } from './system/state/system-state.ts'
import type { StateTransition, SystemStep } from './system/step.ts'
import { eventsFor, type TransitionSystem } from './system/transition-system.ts'

/** A finished exploration of one cone of influence. */
export interface Exploration {
  readonly system: TransitionSystem
  readonly graph: ReachabilityGraph
  readonly cone: ConeOfInfluence
  /** one representative for each class of calls that the cone's gates cannot distinguish */
  readonly calls: readonly SampleCall[]
  readonly classes: EquivalenceClasses
}

/** Answers queries about one policy for one client profile: explores, replays and counts states and events. */
export class AnalysisContext {
  readonly profile: ClientProfile
  readonly dependencies: DependencyGraph
  readonly program: Program
  readonly mayMust: MayMustEvaluator
  states = 0
  events = 0
  /** events and transitions taken over: what the bound is about */
  cost = 0
  readonly #inputs: AnalysisInputs
  readonly #calls: readonly SampleCall[]
  #fullSystem: TransitionSystem | undefined
  #representatives: readonly AgentAction[] | undefined

  constructor(inputs: AnalysisInputs, profile: ClientProfile) {
    const { program, constants: all, calls, mayMust } = inputs
    const constants = { ...all, prompts: all.prompts.filter(prompt => profile.hasPromptSource(prompt.source)) }
    this.profile = profile
    this.program = program
    this.#inputs = { ...inputs, constants }
    this.mayMust = mayMust
    this.#calls = calls.filter(call => profile.canSend(call.beforeEvent))
    this.dependencies = new DependencyGraph(
      program,
      profile,
      this.#calls,
      constants,
      this.mayMust,
      createApprovalRequestCall(inputs.parser),
    )
  }

  /** The same without approved calls, which only sessions of `signalbox orchestrate` make. Undefined: there are none. */
  withoutApproval(): AnalysisContext | undefined {
    const calls = this.#calls.filter(call => !call.isApproved)
    if (calls.length === this.#calls.length) return undefined
    const { bounds } = this.#inputs
    const left = { ...bounds, events: Math.max(0, bounds.events - this.cost) }
    return new AnalysisContext({ ...this.#inputs, calls, bounds: left }, this.profile)
  }

  get prompts(): PolicyConstants['prompts'] {
    return this.#inputs.constants.prompts
  }

  get agents(): readonly string[] {
    return this.#inputs.constants.agents
  }

  get answers(): PolicyConstants['answers'] {
    return this.#inputs.constants.answers
  }

  /** Attributes for which not every distinguishable value could be sampled. */
  get incomplete(): ReadonlySet<string> {
    return this.#inputs.constants.sampler.incomplete
  }

  get root(): string {
    return this.#inputs.root
  }

  /** One representative for each class of actions that no gate can distinguish. */
  get representativeActions(): readonly AgentAction[] {
    if (!this.#representatives) {
      const classes = this.#inputs.classes.of(this.program.gates)
      this.#representatives = representativesOf(this.dependencies.actions, action => actionClassOf(action, classes))
    }
    return this.#representatives
  }

  get writtenUnless(): AnalysisInputs['writtenUnless'] {
    return this.#inputs.writtenUnless
  }

  get parser(): CallParser {
    return this.#inputs.parser
  }

  get env(): Environment {
    return this.#inputs.env
  }

  /** Every sample call of the policy, also calls that this client cannot send. */
  get allCalls(): readonly SampleCall[] {
    return this.#inputs.calls
  }

  /** Evaluates every class of event once, for gates without state. */
  evaluateStateless(gates: readonly Gate[], onResult: (result: EvaluationResult) => void): void {
    if (gates.length === 0) return
    const classes = this.#inputs.classes.of(gates, { plain: true })
    const calls = representativesOf(this.#calls, call => classes.classOfCall(call))
    const agents = representativesOf(this.#inputs.constants.agents, type => classes.classOfAgent(type))
    const system = this.#createSystem(gates, calls, agents)
    const { session } = system.states.initial()
    const first = system.states.reduce(session, { isAwaitingPrompt: false })
    const states = [first, ...agents.map(type => stateWithLiveAgent(system, type, first))]
    for (const state of states)
      for (const transition of system.transitionsFrom(state)) transition.results.forEach(onResult)
    this.#charge(system)
  }

  /** The bound is reached: nothing more is explored or tried. */
  get isBudgetSpent(): boolean {
    return this.cost > this.#inputs.bounds.events
  }

  /** An action that a strategy tries is asked about every gate. */
  chargeAttempt(): boolean {
    this.cost += eventsFor(this.program)
    this.#inputs.progress?.(this.states)
    return !this.isBudgetSpent
  }

  #charge({ evaluations, cost }: TransitionSystem): void {
    this.events += evaluations
    this.cost += cost
  }

  /** Counts the initial state as explored without evaluating an event. */
  countInitialState(): void {
    this.states++
  }

  /** Explores every state that the cone's gates can reach, whatever other gates do, or stops at `stop`. */
  explore(
    cone: ConeOfInfluence,
    onTransition: (node: StateNode, transition: StateTransition, system: TransitionSystem) => void,
    stop: Partial<StopCriterion> = {},
    scenarios: ConcurrentScenarios = NO_CONCURRENCY,
  ): Exploration {
    const classes = this.#inputs.classes.of(cone.gates)
    const actions = [...cone.actions.values()]
    const coneCalls = new Set(actions.flatMap(action => (action.call ? [action.call] : [])))
    const calls = representativesOf([...coneCalls, ...this.#calls], call => classes.classOfCall(call))
    const actors = actions.map(action => action.actor).filter(actor => actor !== 'main' && actor !== 'person')
    const agents = representativesOf([...new Set([...actors, ...this.#inputs.constants.agents])], type =>
      classes.classOfAgent(type),
    )
    const usable = calls.filter(
      call =>
        call.spawns === undefined ||
        agents.includes(call.spawns) ||
        !this.#inputs.constants.agents.includes(call.spawns),
    )
    const system = this.#createSystem(
      [...cone.gates],
      [...new Set([...usable, ...scenarios.asyncCalls, ...scenarios.combinedLines])],
      agents,
      scenarios,
      coneCalls,
    )
    const coneActions = new Set(actions.map(action => actionClassOf(action, classes)))
    const graph = new ReachabilityGraph(system)
    const { bounds } = this.#inputs
    const left = { ...bounds, ...stop, events: bounds.events - this.cost }
    graph.explore(
      left,
      step => stepInitiatorOf(step, cone, coneActions, classes, this.profile),
      (node, transition) => {
        this.#inputs.progress?.(this.states + graph.nodes.length)
        onTransition(node, transition, system)
      },
    )
    this.states += graph.nodes.length
    this.#charge(system)
    return { system, graph, cone, calls: usable, classes }
  }

  /** Replays the steps with every gate in force. Returns the transitions, or the gate that refuses a step. */
  replay(steps: readonly SystemStep[]): {
    readonly moves: readonly StateTransition[]
    readonly at: SystemState
    readonly lost?: Gate | undefined
    readonly isReplayed: boolean
  } {
    const calls = [...new Set(steps.flatMap(step => (step.call ? [step.call] : [])))]
    const late = calls.filter(call => steps.some(step => step.call === call && step.ending === 'running'))
    const scenarios = {
      combinedLines: [],
      asyncCalls: late,
      hasSecondSession: steps.some(step => step.startsSession),
      unexplored: [],
    }
    const system = this.#createSystem(this.program.gates, calls, this.#inputs.constants.agents, scenarios)
    const { transitions, state, divergence } = replaySteps(system, steps)
    const refused = divergence?.results.find(
      result => result.outcome.decision === 'deny' || result.outcome.decision === 'ask',
    )
    const gate = this.program.gates.find(gate => gate.id === refused?.record.gate)
    return { moves: transitions, at: state, lost: gate, isReplayed: transitions.length === steps.length }
  }

  /** The outcome of all gates together for the beginning of an action. */
  evaluateAction = (action: AgentAction, at: SystemState): EvaluationResult | undefined => {
    this.#fullSystem ??= this.#createSystem(this.program.gates, [], [])
    if (action.call) {
      const { isApproved, spawns } = action.call
      const { approvalRequest } = this.dependencies
      const requestResult =
        isApproved && approvalRequest
          ? this.#fullSystem.evaluate(this.#fullSystem.beginEvent(approvalRequest, action.actor), at.session)
          : undefined
      if (requestResult?.outcome.decision === 'deny') return requestResult
      const beginResult = this.#fullSystem.evaluate(
        this.#fullSystem.beginEvent(action.call, action.actor),
        at.session,
        {
          approved: isApproved,
        },
      )
      const spawn =
        spawns === undefined ? undefined : this.dependencies.actions.find(action => action.spawns === spawns)
      const start = spawn?.events.find(event => event.kind === 'agent.start')
      return start && beginResult.outcome.decision !== 'deny'
        ? this.#fullSystem.evaluate(start, beginResult.session)
        : beginResult
    }
    const [event] = action.events
    return event && this.#fullSystem.evaluate({ ...event, client: this.profile.clients[0] ?? event.client }, at.session)
  }

  /** The transitions of an action in this state with every gate in force. Spawns the acting agent first if it is not live. */
  transitionsOf(action: AgentAction, at: SystemState): readonly StateTransition[] {
    const isAway = action.actor !== 'main' && at.liveAgent?.type !== action.actor
    const spawn = isAway ? this.dependencies.actions.find(other => other.spawns === action.actor)?.call : undefined
    const calls = [...(action.call ? [action.call] : []), ...(spawn ? [spawn] : [])]
    const system = this.#createSystem(this.program.gates, calls, this.#inputs.constants.agents)
    const [first] = action.events
    const isIt = ({ actor, call, event }: SystemStep): boolean =>
      action.call
        ? actor === action.actor && call === action.call
        : event?.kind === first?.kind && (event?.agent === undefined || actor === action.actor)
    const from = spawn
      ? system.transitionsFrom(at).flatMap(({ step, to }) => (step.call === spawn && to.liveAgent ? [to] : []))
      : [at]
    return from.flatMap(state => system.transitionsFrom(state).filter(({ step }) => isIt(step)))
  }

  /** Concurrent scenarios that can matter among these gates. */
  concurrentScenarios(gates: ReadonlySet<Gate>): ConcurrentScenarios {
    const { profile, mayMust, parser } = this
    const classes = this.#inputs.classes.of(gates, { plain: true })
    const calls = representativesOf(this.#calls, call => classes.classOfCall(call))
    const agents = representativesOf(this.agents, type => classes.classOfAgent(type))
    return findConcurrentScenarios(gates, { profile, mayMust, parser, calls, agents })
  }

  #createSystem(
    gates: readonly Gate[],
    calls: readonly SampleCall[],
    agents: readonly string[],
    scenarios: ConcurrentScenarios = NO_CONCURRENCY,
    fillerCalls: ReadonlySet<SampleCall> = new Set(calls),
  ): TransitionSystem {
    const { profile, dependencies } = this
    return createTransitionSystem({
      ...this.#inputs,
      gates,
      calls,
      agents,
      scenarios,
      fillerCalls,
      profile,
      dependencies,
    })
  }
}
