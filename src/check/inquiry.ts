import type { Gate, Program, Result } from '../core/index.ts'
import type { JsonObject } from '../pattern/index.ts'
import { type AtOnce, atOnce } from './at-once.ts'
import { resting } from './awaited.ts'
import type { Call, CallTools } from './call.ts'
import { type Cone, Field } from './cone.ts'
import type { Constants } from './constants.ts'
import { bearingOf, callDeed, type Deed, hearingOf } from './deed.ts'
import type { Environment } from './environment.ts'
import { type Bounds, type Enough, Graph, type Node, type Role, replay } from './graph.ts'
import { type Likeness, type Likenesses, oneOfEach } from './likeness.ts'
import { endsByChance, orderOf, ownKey } from './own-deed.ts'
import type { Oracle } from './possible.ts'
import type { State } from './state.ts'
import type { Step } from './step.ts'
import type { View } from './view.ts'
import { type Move, World } from './world.ts'

export interface Ground {
  readonly program: Program
  readonly constants: Constants
  readonly calls: readonly Call[]
  readonly tools: CallTools
  readonly root: string
  readonly env: Environment
  readonly bounds: Bounds
  readonly oracle: Oracle
  readonly likenesses: Likenesses
  written(at: string, rule: string): JsonObject | null | undefined
}

const NOTHING_AT_ONCE: AtOnce = { lines: [], late: [], shares: false, untried: [] }

/** An exploration of some of the gates, and what it was about. */
export interface Explored {
  readonly world: World
  readonly graph: Graph
  readonly cone: Cone
  /** of those that its gates cannot tell apart, one */
  readonly calls: readonly Call[]
  readonly like: Likeness
}

/** Questions about one policy on one kind of client. */
export class Inquiry {
  readonly view: View
  readonly field: Field
  readonly program: Program
  readonly oracle: Oracle
  states = 0
  events = 0
  readonly #ground: Ground
  readonly #calls: readonly Call[]
  #whole: World | undefined
  #kinds: readonly Deed[] | undefined

  constructor(ground: Ground, view: View) {
    const { program, constants: all, calls, oracle } = ground
    const constants = { ...all, prompts: all.prompts.filter(one => view.prompts(one.source)) }
    this.view = view
    this.program = program
    this.#ground = { ...ground, constants }
    this.oracle = oracle
    this.#calls = calls.filter(call => view.sends(call.before))
    this.field = new Field(program, view, this.#calls, constants, this.oracle, orderOf(ground.tools))
  }

  get prompts(): Constants['prompts'] {
    return this.#ground.constants.prompts
  }

  get agents(): readonly string[] {
    return this.#ground.constants.agents
  }

  get answers(): Constants['answers'] {
    return this.#ground.constants.answers
  }

  /** Attributes of which not every value that may make a difference could be tried. */
  get vague(): ReadonlySet<string> {
    return this.#ground.constants.sampler.vague
  }

  get root(): string {
    return this.#ground.root
  }

  /** Of all deeds that no gate can tell apart, one. */
  get kinds(): readonly Deed[] {
    if (!this.#kinds) {
      const like = this.#ground.likenesses.of(this.program.gates)
      this.#kinds = oneOfEach(this.field.deeds, deed => ownKey(deed, like))
    }
    return this.#kinds
  }

  get written(): Ground['written'] {
    return this.#ground.written
  }

  get tools(): CallTools {
    return this.#ground.tools
  }

  get env(): Environment {
    return this.#ground.env
  }

  /** Every call that was made of the policy, also those that this kind of client cannot make. */
  get made(): readonly Call[] {
    return this.#ground.calls
  }

  /** Every kind of event once, for gates that keep no state. */
  listen(gates: readonly Gate[], heard: (result: Result) => void): void {
    if (gates.length === 0) return
    const like = this.#ground.likenesses.of(gates, { plain: true })
    const calls = oneOfEach(this.#calls, call => like.ofCall(call))
    const agents = oneOfEach(this.#ground.constants.agents, type => like.ofAgent(type))
    const world = this.#world(gates, calls, agents)
    const { session } = world.states.first()
    const first = world.states.of(resting(session, false))
    const states = [first, ...agents.map(type => this.#lively(world, type, first))]
    for (const state of states) for (const move of world.moves(state)) move.results.forEach(heard)
    this.events += world.evaluations
  }

  /** The first state was seen, and nothing had to be asked. */
  glance(): void {
    this.states++
  }

  /** As if it had been spawned, whoever may have refused that. */
  #lively(world: World, type: string, { session }: State): State {
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

  /** Every state these gates can get into, whatever the others do; or as many as it takes. */
  explore(
    cone: Cone,
    heard: (node: Node, move: Move, world: World) => void,
    enough: Partial<Enough> = {},
    together: AtOnce = NOTHING_AT_ONCE,
  ): Explored {
    const like = this.#ground.likenesses.of(cone.gates)
    const deeds = [...cone.deeds.values()]
    const isFirst = new Set(deeds.flatMap(deed => (deed.call ? [deed.call] : [])))
    const calls = oneOfEach([...isFirst, ...this.#calls], call => like.ofCall(call))
    const doers = deeds.map(deed => deed.by).filter(by => by !== 'main' && by !== 'person')
    const agents = oneOfEach([...new Set([...doers, ...this.#ground.constants.agents])], type => like.ofAgent(type))
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
    const own = new Set(deeds.map(deed => ownKey(deed, like)))
    const graph = new Graph(world)
    const { bounds } = this.#ground
    const left = { ...bounds, ...enough, events: bounds.events - this.events }
    graph.explore(
      left,
      step => this.#roleOf(step, cone, own, like),
      (node, move) => heard(node, move, world),
    )
    this.states += graph.nodes.length
    this.events += world.evaluations
    return { world, graph, cone, calls: usable, like }
  }

  /** The steps with every gate in force: what came of each, or the gate that keeps one from happening. */
  confirm(steps: readonly Step[]): {
    readonly moves: readonly Move[]
    readonly at: State
    readonly lost?: Gate | undefined
    readonly held: boolean
  } {
    const calls = [...new Set(steps.flatMap(step => (step.call ? [step.call] : [])))]
    const late = calls.filter(call => steps.some(step => step.call === call && step.end === 'begun'))
    const together = { lines: [], late, shares: steps.some(step => step.another), untried: [] }
    const world = this.#world(this.program.gates, calls, this.#ground.constants.agents, together)
    const { moves, at, lost } = replay(world, steps)
    const refused = lost?.results.find(
      result => result.outcome.decision === 'deny' || result.outcome.decision === 'ask',
    )
    const gate = this.program.gates.find(one => one.id === refused?.record.gate)
    return { moves, at, lost: gate, held: moves.length === steps.length }
  }

  /** What every gate together says to the beginning of a deed. */
  answer = (deed: Deed, at: State): Result | undefined => {
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

  /** What comes of a deed in this state, with every gate in force; whoever does it is spawned first where that has to be. */
  does(deed: Deed, at: State): readonly Move[] {
    const isAway = deed.by !== 'main' && at.live?.type !== deed.by
    const spawn = isAway ? this.field.deeds.find(one => one.spawns === deed.by)?.call : undefined
    const calls = [...(deed.call ? [deed.call] : []), ...(spawn ? [spawn] : [])]
    const world = this.#world(this.program.gates, calls, this.#ground.constants.agents)
    const [first] = deed.events
    const isIt = ({ by, call, event }: Step): boolean =>
      deed.call
        ? by === deed.by && call === deed.call
        : event?.kind === first?.kind && (event?.agent === undefined || by === deed.by)
    const from = spawn ? world.moves(at).flatMap(({ step, to }) => (step.call === spawn && to.live ? [to] : [])) : [at]
    return from.flatMap(state => world.moves(state).filter(({ step }) => isIt(step)))
  }

  /** What may happen at once among these gates. */
  atOnce(gates: ReadonlySet<Gate>): AtOnce {
    const { view, oracle, tools } = this
    const like = this.#ground.likenesses.of(gates, { plain: true })
    const calls = oneOfEach(this.#calls, call => like.ofCall(call))
    const agents = oneOfEach(this.agents, type => like.ofAgent(type))
    return atOnce(gates, { view, oracle, tools, calls, agents })
  }

  #world(
    gates: readonly Gate[],
    calls: readonly Call[],
    agents: readonly string[],
    { late, shares }: AtOnce = NOTHING_AT_ONCE,
    counted: ReadonlySet<Call> = new Set(calls),
  ): World {
    const { program, constants, tools, root, env } = this.#ground
    const kept = program.gates.filter(gate => gates.includes(gate))
    const bearings = new Map(
      calls.map(call => {
        const each = ['main', ...agents].map(
          by => [by, bearingOf(callDeed(call, by, this.view), kept, this.oracle)] as const,
        )
        return [call, new Map(each)] as const
      }),
    )
    return new World({
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
      hearing: event => hearingOf(event, kept, this.oracle),
    })
  }

  /** A person opens what only people open: in whatever way, or by the prompts it is about. */
  #roleOf(step: Step, { prompted, deeds }: Cone, own: ReadonlySet<string>, like: Likeness): Role {
    if (step.opens !== undefined) return prompted?.name === step.opens ? 'never' : 'asked'
    const isAsked = prompted && step.event?.prompt && step.end !== 'refused'
    if (isAsked && deeds.has(`person ${JSON.stringify(step.event?.prompt)}`)) return 'asked'
    if (step.begins) return 'begun'
    if (endsByChance(step, this.view)) return 'other'
    return this.#isOwn(step, own, like) ? 'own' : 'other'
  }

  /** Time passes by itself; of all else only the deeds that the gates in question can answer for. */
  #isOwn(step: Step, own: ReadonlySet<string>, like: Likeness): boolean {
    if (step.by === 'time') return true
    if (step.by === 'person' || step.by === 'client' || step.late || step.end === 'begun') return false
    if (step.call) return own.has(`${like.ofAgent(step.by)} ${like.ofCall(step.call)}`)
    if (step.event?.kind === 'turn.stop') return own.has('the turn ends')
    return step.untold ? !this.view.has('agent.stop') : own.has(`${like.ofAgent(step.by)} stops`)
  }
}
