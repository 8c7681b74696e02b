import type { EvaluationResult, Gate, Program } from '../../engine/index.ts'
import { type ConcurrentScenarios, findConcurrentScenarios } from './abstraction/concurrency.ts'
import { type ConeOfInfluence, DependencyGraph } from './abstraction/cone-of-influence.ts'
import { type EquivalenceClasses, representativesOf } from './abstraction/equivalence-classes.ts'
import type { Environment } from './abstraction/input-partitioning/environment-partition.ts'
import type { PolicyConstants } from './abstraction/input-partitioning/policy-constants.ts'
import type { MayMustEvaluator } from './abstraction/may-must-evaluator.ts'
import type { CallParser, SampleCall } from './abstraction/residual-condition.ts'
import type { AnalysisInputs } from './analysis-inputs.ts'
import { stepInitiatorOf } from './step-initiator.ts'
import { actionClassKey, createApprovalRequestCall } from './system/action-identity.ts'
import { type AgentAction, actionForCall, callRelevanceOf, eventRelevanceOf } from './system/agent-action.ts'
import type { ClientProfile } from './system/client-profile.ts'
import { setAwaitingPrompt } from './system/pending-calls.ts'
import { ReachabilityGraph, replaySteps, type StateNode, type StopCriterion } from './system/reachability-graph.ts'
import type { SystemState } from './system/state-space.ts'
import type { StateTransition, SystemStep } from './system/step.ts'
import { eventsFor, TransitionSystem } from './system/transition-system.ts'

const NO_CONCURRENCY: ConcurrentScenarios = { lines: [], late: [], shares: false, untried: [] }

/** A finished exploration of one cone of influence. */
export interface Exploration {
  readonly world: TransitionSystem
  readonly graph: ReachabilityGraph
  readonly cone: ConeOfInfluence
  /** one representative for each class of calls that the cone's gates cannot distinguish */
  readonly calls: readonly SampleCall[]
  readonly like: EquivalenceClasses
}

/** Answers queries about one policy for one client profile: explores, replays and counts states and events. */
export class AnalysisContext {
  readonly view: ClientProfile
  readonly field: DependencyGraph
  readonly program: Program
  readonly oracle: MayMustEvaluator
  states = 0
  events = 0
  /** events and transitions taken over: what the bound is about */
  cost = 0
  readonly #ground: AnalysisInputs
  readonly #calls: readonly SampleCall[]
  #whole: TransitionSystem | undefined
  #kinds: readonly AgentAction[] | undefined

  constructor(ground: AnalysisInputs, view: ClientProfile) {
    const { program, constants: all, calls, oracle } = ground
    const constants = { ...all, prompts: all.prompts.filter(one => view.prompts(one.source)) }
    this.view = view
    this.program = program
    this.#ground = { ...ground, constants }
    this.oracle = oracle
    this.#calls = calls.filter(call => view.sends(call.before))
    this.field = new DependencyGraph(
      program,
      view,
      this.#calls,
      constants,
      this.oracle,
      createApprovalRequestCall(ground.tools),
    )
  }

  get prompts(): PolicyConstants['prompts'] {
    return this.#ground.constants.prompts
  }

  get agents(): readonly string[] {
    return this.#ground.constants.agents
  }

  get answers(): PolicyConstants['answers'] {
    return this.#ground.constants.answers
  }

  /** Attributes for which not every distinguishable value could be sampled. */
  get vague(): ReadonlySet<string> {
    return this.#ground.constants.sampler.vague
  }

  get root(): string {
    return this.#ground.root
  }

  /** One representative for each class of actions that no gate can distinguish. */
  get kinds(): readonly AgentAction[] {
    if (!this.#kinds) {
      const like = this.#ground.likenesses.of(this.program.gates)
      this.#kinds = representativesOf(this.field.deeds, deed => actionClassKey(deed, like))
    }
    return this.#kinds
  }

  get written(): AnalysisInputs['written'] {
    return this.#ground.written
  }

  get tools(): CallParser {
    return this.#ground.tools
  }

  get env(): Environment {
    return this.#ground.env
  }

  /** Every sample call of the policy, also calls that this client cannot send. */
  get made(): readonly SampleCall[] {
    return this.#ground.calls
  }

  /** Evaluates every class of event once, for gates without state. */
  listen(gates: readonly Gate[], heard: (result: EvaluationResult) => void): void {
    if (gates.length === 0) return
    const like = this.#ground.likenesses.of(gates, { plain: true })
    const calls = representativesOf(this.#calls, call => like.ofCall(call))
    const agents = representativesOf(this.#ground.constants.agents, type => like.ofAgent(type))
    const world = this.#world(gates, calls, agents)
    const { session } = world.states.first()
    const first = world.states.of(setAwaitingPrompt(session, false))
    const states = [first, ...agents.map(type => this.#lively(world, type, first))]
    for (const state of states) for (const move of world.moves(state)) move.results.forEach(heard)
    this.#spend(world)
  }

  /** The bound is reached: nothing more is explored or tried. */
  get isSpent(): boolean {
    return this.cost > this.#ground.bounds.events
  }

  /** An action that a strategy tries is asked about every gate. */
  mayTry(): boolean {
    this.cost += eventsFor(this.program)
    this.#ground.progress?.(this.states)
    return !this.isSpent
  }

  #spend({ evaluations, cost }: TransitionSystem): void {
    this.events += evaluations
    this.cost += cost
  }

  /** Counts the initial state as explored without evaluating an event. */
  glance(): void {
    this.states++
  }

  /** A state in which an agent of this type is live, even if a gate would refuse to spawn it. */
  #lively(world: TransitionSystem, type: string, { session }: SystemState): SystemState {
    const call = {
      kind: 'tool.before',
      client: '',
      name: '',
      session: '',
      caller: { kind: 'main' },
      call: { tool: 'Agent', input: {}, acts: [{ action: 'spawn', agent: type }], id: `s-${type}` },
    } as const
    const spawns = this.view.inferred ? [{ call: `s-${type}`, id: 'x', agent: type }] : []
    return world.states.of({ ...session, spawns }, { type, call })
  }

  /** Explores every state that the cone's gates can reach, whatever other gates do, or stops at `enough`. */
  explore(
    cone: ConeOfInfluence,
    heard: (node: StateNode, move: StateTransition, world: TransitionSystem) => void,
    enough: Partial<StopCriterion> = {},
    together: ConcurrentScenarios = NO_CONCURRENCY,
  ): Exploration {
    const like = this.#ground.likenesses.of(cone.gates)
    const deeds = [...cone.deeds.values()]
    const isFirst = new Set(deeds.flatMap(deed => (deed.call ? [deed.call] : [])))
    const calls = representativesOf([...isFirst, ...this.#calls], call => like.ofCall(call))
    const doers = deeds.map(deed => deed.by).filter(by => by !== 'main' && by !== 'person')
    const agents = representativesOf([...new Set([...doers, ...this.#ground.constants.agents])], type =>
      like.ofAgent(type),
    )
    const usable = calls.filter(
      call =>
        call.spawns === undefined ||
        agents.includes(call.spawns) ||
        !this.#ground.constants.agents.includes(call.spawns),
    )
    const world = this.#world(
      [...cone.gates],
      [...new Set([...usable, ...together.late, ...together.lines])],
      agents,
      together,
      isFirst,
    )
    const own = new Set(deeds.map(deed => actionClassKey(deed, like)))
    const graph = new ReachabilityGraph(world)
    const { bounds } = this.#ground
    const left = { ...bounds, ...enough, events: bounds.events - this.cost }
    graph.explore(
      left,
      step => stepInitiatorOf(step, cone, own, like, this.view),
      (node, move) => {
        this.#ground.progress?.(this.states + graph.nodes.length)
        heard(node, move, world)
      },
    )
    this.states += graph.nodes.length
    this.#spend(world)
    return { world, graph, cone, calls: usable, like }
  }

  /** Replays the steps with every gate in force. Returns the transitions, or the gate that refuses a step. */
  confirm(steps: readonly SystemStep[]): {
    readonly moves: readonly StateTransition[]
    readonly at: SystemState
    readonly lost?: Gate | undefined
    readonly held: boolean
  } {
    const calls = [...new Set(steps.flatMap(step => (step.call ? [step.call] : [])))]
    const late = calls.filter(call => steps.some(step => step.call === call && step.end === 'begun'))
    const together = { lines: [], late, shares: steps.some(step => step.another), untried: [] }
    const world = this.#world(this.program.gates, calls, this.#ground.constants.agents, together)
    const { moves, at, lost } = replaySteps(world, steps)
    const refused = lost?.results.find(
      result => result.outcome.decision === 'deny' || result.outcome.decision === 'ask',
    )
    const gate = this.program.gates.find(one => one.id === refused?.record.gate)
    return { moves, at, lost: gate, held: moves.length === steps.length }
  }

  /** The outcome of all gates together for the beginning of an action. */
  answer = (deed: AgentAction, at: SystemState): EvaluationResult | undefined => {
    this.#whole ??= this.#world(this.program.gates, [], [])
    if (deed.call) {
      const { approved, spawns } = deed.call
      const { order } = this.field
      const ordered = approved && order ? this.#whole.ask(this.#whole.beginning(order, deed.by), at.session) : undefined
      if (ordered?.outcome.decision === 'deny') return ordered
      const begun = this.#whole.ask(this.#whole.beginning(deed.call, deed.by), at.session, { approved })
      const spawn = spawns === undefined ? undefined : this.field.deeds.find(one => one.spawns === spawns)
      const start = spawn?.events.find(one => one.kind === 'agent.start')
      return start && begun.outcome.decision !== 'deny' ? this.#whole.ask(start, begun.session) : begun
    }
    const [event] = deed.events
    return event && this.#whole.ask({ ...event, client: this.view.clients[0] ?? event.client }, at.session)
  }

  /** The transitions of an action in this state with every gate in force. Spawns the acting agent first if it is not live. */
  does(deed: AgentAction, at: SystemState): readonly StateTransition[] {
    const isAway = deed.by !== 'main' && at.live?.type !== deed.by
    const spawn = isAway ? this.field.deeds.find(one => one.spawns === deed.by)?.call : undefined
    const calls = [...(deed.call ? [deed.call] : []), ...(spawn ? [spawn] : [])]
    const world = this.#world(this.program.gates, calls, this.#ground.constants.agents)
    const [first] = deed.events
    const isIt = ({ by, call, event }: SystemStep): boolean =>
      deed.call
        ? by === deed.by && call === deed.call
        : event?.kind === first?.kind && (event?.agent === undefined || by === deed.by)
    const from = spawn ? world.moves(at).flatMap(({ step, to }) => (step.call === spawn && to.live ? [to] : [])) : [at]
    return from.flatMap(state => world.moves(state).filter(({ step }) => isIt(step)))
  }

  /** Concurrent scenarios that can matter among these gates. */
  atOnce(gates: ReadonlySet<Gate>): ConcurrentScenarios {
    const { view, oracle, tools } = this
    const like = this.#ground.likenesses.of(gates, { plain: true })
    const calls = representativesOf(this.#calls, call => like.ofCall(call))
    const agents = representativesOf(this.agents, type => like.ofAgent(type))
    return findConcurrentScenarios(gates, { view, oracle, tools, calls, agents })
  }

  #world(
    gates: readonly Gate[],
    calls: readonly SampleCall[],
    agents: readonly string[],
    { late, shares }: ConcurrentScenarios = NO_CONCURRENCY,
    counted: ReadonlySet<SampleCall> = new Set(calls),
  ): TransitionSystem {
    const { program, constants, tools, root, env } = this.#ground
    const kept = program.gates.filter(gate => gates.includes(gate))
    const bearings = new Map(
      calls.map(call => {
        const each = ['main', ...agents].map(
          by => [by, callRelevanceOf(actionForCall(call, by, this.view), kept, this.oracle)] as const,
        )
        return [call, new Map(each)] as const
      }),
    )
    return new TransitionSystem({
      ...{
        program: { ...program, gates: kept },
        view: this.view,
        calls,
        agents,
        constants,
        regex: tools.regex,
        root,
        env,
      },
      ...{ late: new Set(late), shares, counted, rests: this.field.rests, order: this.field.order },
      bearing: (call, by) => bearings.get(call)?.get(by),
      hearing: event => eventRelevanceOf(event, kept, this.oracle),
    })
  }
}
