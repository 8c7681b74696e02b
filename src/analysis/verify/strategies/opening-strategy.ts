import type { Event, Gate } from '../../../engine/index.ts'
import { isClosedByPrompt } from '../abstraction/condition-atoms.ts'
import type { ConeOfInfluence, DependencyGraph } from '../abstraction/cone-of-influence.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isCalledBy, isPerAgentGate, UNKNOWN_ACTOR } from '../system/actor.ts'
import { type AgentAction, mayTriggerTransition, refusableEvents } from '../system/agent-action.ts'
import type { ClientProfile } from '../system/client-profile.ts'
import { Lemmas } from './lemmas.ts'
import { ObstructionAnalysis } from './obstruction.ts'
import { isClosedByClock, isOpenedByTime, mayCloseGate, operationsUntilOpen } from './open-duration.ts'
import { type OpeningAction, OpeningActions, type StrategyOptions } from './opening-actions.ts'
import type { OpeningGoal, StrategyConstraints } from './opening-goal.ts'
import { OpenGates, StrategyState } from './strategy-state.ts'

/** Actions tried in one search. */
const MAX_TRIED_ACTIONS = 400
/** Opening one gate may close a gate opened before, so clearing is repeated up to this often. */
const MAX_ROUNDS = 4

/**
 * Strategies that hold in every state, also in unreachable ones: a sequence of actions, each allowed and effective whatever else is
 * closed. If a gate has one, it does not matter how it was closed: by a line with several commands, by concurrent calls or by
 * another session. Nothing has to be explored then.
 */
export class OpeningStrategies {
  readonly #field: DependencyGraph
  readonly #oracle: MayMustEvaluator
  readonly #view: ClientProfile
  readonly #openers: OpeningActions
  readonly #lessons: Lemmas
  readonly #standing: StrategyState
  readonly #sight: ObstructionAnalysis
  readonly #parts: StrategyOptions
  #left = 0
  #people = true
  /** an agent is spawned between the last opening and its goal */
  #spawning = false
  /** the agent that acts when the reported caller is unknown */
  #doer = 'main'
  /** it is unknown when the agent began, so it cannot open gates that a later prompt closes */
  #isEarly = false

  constructor(parts: StrategyOptions) {
    const { field, oracle, view } = parts
    this.#field = field
    this.#oracle = oracle
    this.#view = view
    this.#parts = parts
    this.#openers = new OpeningActions(parts)
    this.#lessons = new Lemmas(parts)
    this.#standing = new StrategyState(parts, this.#openers)
    this.#sight = new ObstructionAnalysis(parts, this.#openers, this.#standing)
  }

  /** Can an agent, or a person for `opens: human` gates, open it from every state? */
  opens(gate: Gate): boolean {
    this.#begin({ people: true })
    const isOpened = this.#opened(gate, new Set(), { isGoal: true })
    return isOpened && (!isPerAgentGate(gate) || !this.#view.inferred || this.#opensForSomebody(gate))
  }

  /** With two live agents and inferred callers, events have an unknown caller with a gate state of its own. */
  #opensForSomebody(gate: Gate): boolean {
    const spawns = this.#field.deeds.filter(deed => deed.by === 'main' && deed.spawns !== undefined)
    if (this.#isUnforeseen || this.#openers.isKept) return false
    return spawns.some(first =>
      spawns.some(next => first.spawns !== next.spawns && this.#opensAmong(gate, first, next)),
    )
  }

  #opensAmong(gate: Gate, first: AgentAction, next: AgentAction): boolean {
    this.#begin({ people: true })
    const [one, two] = [refusableEvents(first), refusableEvents(next)]
    if (!this.#cleared(first, one, undefined, new Set())) return false
    this.#standing.forget(one)
    if (this.#sight.inTheWay(next, two, undefined)?.length !== 0) return false
    this.#standing.forget(two)
    this.#standing.actor = UNKNOWN_ACTOR
    this.#doer = first.spawns ?? UNKNOWN_ACTOR
    return this.#opened(gate, new Set(), { isGoal: true })
  }

  /** Can every agent to which the gate refuses something open it for itself, alone, whenever it began? */
  opensForEach(gate: Gate): boolean {
    const { deeds } = this.#field
    const isRefused = (who: string): boolean =>
      gate.mode !== 'block' || deeds.some(deed => deed.by === who && this.#field.refusers(deed).includes(gate))
    return this.#parts.agents.every(who => {
      this.#begin({ people: true, alone: who })
      return !isRefused(who) || this.#opened(gate, new Set(), { isGoal: true })
    })
  }

  /** Can an agent reach a state in which this action is allowed, from every state and without a person? */
  ends(deed: AgentAction): boolean {
    if (this.#view.inferred && deed.by !== 'main') return !this.#isUnforeseen && !this.#openers.isKept
    this.#begin({ people: false, ...(deed.by !== 'main' && { alone: deed.by }) })
    const events = refusableEvents(deed).flatMap(event => this.#openers.callers(event, deed))
    return !this.#isUnforeseen && this.#cleared(deed, events, undefined, new Set())
  }

  /** Can an actor reach, from every state, one in which no closed gate refuses the action? Unconditional refusals do not count. */
  permits(deed: AgentAction): boolean {
    if (this.#isUnforeseen) return false
    const work = refusableEvents(deed)
      .flatMap(event => this.#openers.callers(event, deed))
      // the spawned agent is the only live one, so the caller is known
      .filter(event => deed.by === 'main' || event.caller.kind !== 'unknown')
    const isFree = (then?: string): readonly Gate[] | undefined =>
      this.#sight.inTheWay(deed, work, undefined, { isWork: true, then })
    if (deed.by === 'main') {
      this.#begin({ people: true })
      return this.#clearedOf(() => isFree(), new Set())
    }
    const { deeds } = this.#field
    if (this.#openers.isKept) return false
    return deeds.some(spawn => spawn.by === 'main' && spawn.spawns === deed.by && this.#permitsTo(spawn, isFree))
  }

  /** Live agents end, and a new agent is spawned that opens its own gates and does the action. */
  #permitsTo(spawn: AgentAction, isFree: (then?: string) => readonly Gate[] | undefined): boolean {
    this.#begin({ people: true, spawning: true })
    const asked = refusableEvents(spawn).flatMap(event => this.#openers.callers(event, spawn))
    const first = (): readonly Gate[] | undefined => {
      const [own, work] = [this.#sight.inTheWay(spawn, asked, undefined), isFree(spawn.spawns)]
      return own && work && [...new Set([...own, ...work])]
    }
    if (!this.#clearedOf(first, new Set())) return false
    this.#standing.forget(asked)
    this.#standing.actor = spawn.spawns ?? 'main'
    return this.#clearedOf(() => isFree(), new Set())
  }

  learn(gate: Gate, cone: ConeOfInfluence): void {
    this.#lessons.learn(gate, cone)
  }

  #begin({ people, spawning = false, alone }: StrategyConstraints): void {
    this.#spawning = spawning
    this.#standing.actor = alone ?? 'main'
    this.#isEarly = alone !== undefined
    this.#standing.open = new OpenGates()
    this.#left = MAX_TRIED_ACTIONS
    this.#people = people
  }

  /** A code gate with `onError: closed` may refuse anything, and if every prompt may be refused, no agent may be at work. */
  get #isUnforeseen(): boolean {
    const { program, rests } = this.#field
    return rests || program.gates.some(gate => gate.code !== undefined && gate.onError === 'closed')
  }

  #opened(gate: Gate, waiting: ReadonlySet<Gate>, { isGoal = false } = {}): boolean {
    if (this.#standing.open.has(gate)) return true
    if (waiting.has(gate) || gate.initial === undefined || (this.#isEarly && isClosedByPrompt(gate))) return false
    if (!isGoal && !this.#stays(gate, { atOnce: false })) return false
    if (gate.opens === 'human' && this.#people && !isPerAgentGate(gate)) {
      this.#standing.add(gate)
      return true
    }
    const before = this.#standing.open.copy()
    for (const opener of this.#openersOf(gate)) {
      if (this.#left-- <= 0 || !this.#parts.mayTry()) return false
      if (!isGoal && !this.#stays(gate, opener)) continue
      if (this.#does(opener, gate, new Set([...waiting, gate]))) return true
      this.#standing.open = before.copy()
    }
    if (!isGoal && !this.#stays(gate, { atOnce: true })) return false
    return this.#isWaitedFor(gate) || this.#isCountedFor(gate, waiting) || this.#isLearnt(gate, { isGoal })
  }

  /** For a per-agent gate, only the main agent's own events open the main agent's state. */
  #openersOf(gate: Gate): readonly OpeningAction[] {
    if (this.#standing.actor === UNKNOWN_ACTOR) return this.#openers.own(gate, this.#doer, UNKNOWN_ACTOR)
    if (this.#standing.actor !== 'main') return this.#openers.own(gate, this.#standing.actor)
    const all = this.#openers.of(gate)
    return isPerAgentGate(gate) ? all.filter(({ opens }) => opens.every(event => isCalledBy(event, 'main'))) : all
  }

  /** Is the gate still open for the next event? An opening at the beginning of a call counts that call, and so does a spawn. */
  #stays(gate: Gate, { atOnce }: { readonly atOnce: boolean }): boolean {
    return this.#standing.lasts(gate) >= 1 + Number(atOnce) + Number(this.#spawning)
  }

  /** Elapsed time opens the gate at the next event, if that event does not close it. */
  #isWaitedFor(gate: Gate): boolean {
    if (this.#standing.actor !== 'main' || isPerAgentGate(gate) || this.#isUnforeseen || !isOpenedByTime(gate))
      return false
    const events = this.#field.deeds
      .filter(({ by, call, spawns }) => by === 'main' && call && !call.approved && spawns === undefined)
      .map(deed => deed.events.flatMap(event => this.#openers.callers(event, deed)))
      .find(each => !mayCloseGate(gate, each, this.#oracle))
    if (!events) return false
    for (const one of this.#standing.open.gates) if (isClosedByClock(one)) this.#standing.open.delete(one)
    this.#standing.forget(events, 1, gate)
    this.#standing.add(gate, { atOnce: true })
    return true
  }

  /** The required number of counted calls opens the gate, and all of them are allowed. */
  #isCountedFor(gate: Gate, waiting: ReadonlySet<Gate>): boolean {
    const many = operationsUntilOpen(gate)
    if (many === undefined || this.#standing.actor !== 'main' || isPerAgentGate(gate) || this.#isUnforeseen)
      return false
    const before = this.#standing.open.copy()
    return this.#standing.idling.countedBy(gate).some(deed => {
      this.#standing.open = before.copy()
      const events = deed.events.flatMap(event => this.#openers.callers(event, deed))
      const asked = refusableEvents(deed).flatMap(event => this.#openers.callers(event, deed))
      if (mayCloseGate(gate, events, this.#oracle)) return false
      if (!this.#cleared(deed, asked, undefined, new Set([...waiting, gate]))) return false
      // the transition happens at the event after the last counted one
      this.#standing.forget(events, many + 1, gate)
      if (this.#sight.inTheWay(deed, asked, undefined)?.length !== 0) return false
      this.#standing.add(gate, { atOnce: true })
      return true
    })
  }

  #isLearnt(gate: Gate, { isGoal }: { readonly isGoal: boolean }): boolean {
    if (this.#standing.actor !== 'main' || isPerAgentGate(gate)) return false
    const lesson = this.#lessons.of(gate)
    if (!lesson || (lesson.people && !this.#people) || (lesson.isUndone && !isGoal)) return false
    const { open } = this.#standing
    for (const one of open.gates) if (lesson.closes.has(one) || isClosedByClock(one)) open.delete(one)
    for (const one of this.#field.program.gates) if (one !== gate) open.try(one)
    this.#standing.add(gate, { atOnce: true })
    return true
  }

  #does(opener: OpeningAction, gate: Gate, waiting: ReadonlySet<Gate>): boolean {
    const { deed, told, asked, then } = opener
    const target = { gate, opener }
    if (then && this.#standing.actor === 'main') return this.#delegates(target, then, waiting)
    if (this.#isUnforeseen || !this.#cleared(deed, asked, target, waiting)) return false
    const oracle = this.#oracle.knowing(this.#sight.known(target))
    const closes = (one: Gate): boolean =>
      one.transitions.some(
        step =>
          step.to === 'closed' && told.some(event => mayTriggerTransition(step, event, oracle, deed.call?.approved)),
      )
    // events of the spawned agent after the opening must not close the gate again
    if (deed.spawns !== undefined && closes(gate)) return false
    if (!this.#isInTime(target)) return false
    for (const one of this.#standing.open.gates) if (closes(one)) this.#standing.open.delete(one)
    this.#standing.spend(told, 1, gate)
    this.#standing.add(gate, opener)
    return true
  }

  /** An agent is spawned, opens its own gates, does the action and ends. */
  #delegates({ gate, opener }: OpeningGoal, then: AgentAction, waiting: ReadonlySet<Gate>): boolean {
    const { deed, asked, opens } = opener
    const begun = asked.filter(event => !then.events.includes(event))
    const way = (): readonly Gate[] | undefined =>
      this.#sight.inTheWay(deed, asked, { gate, opener }, { then: then.by })
    if (this.#isUnforeseen || !this.#clearedOf(way, waiting)) return false
    this.#standing.forget(begun)
    this.#standing.actor = then.by
    const own = opens.flatMap(event => this.#openers.ownBy(then, event))
    const isDone = own.length > 0 && own.every(one => this.#does(one, gate, waiting))
    this.#standing.actor = 'main'
    this.#standing.forget(this.#openers.endsOf(deed))
    return isDone && this.#standing.open.has(gate)
  }

  /** Gates needed at the end of a call have to stay open while it runs. */
  #isInTime({ gate, opener }: OpeningGoal): boolean {
    const { deed, asked, told, atOnce } = opener
    const { open } = this.#standing
    const late = this.#standing.lateAfter(told)
    if (atOnce || late.length === 0) return true
    const before = open.copy()
    for (const one of late) open.delete(one)
    const isEnough = this.#sight.inTheWay(deed, asked, { gate, opener })?.length === 0
    this.#standing.open = before
    return isEnough
  }

  /** Opens all gates that obstruct the action. */
  #cleared(
    deed: AgentAction,
    asked: readonly Event[],
    target: OpeningGoal | undefined,
    waiting: ReadonlySet<Gate>,
  ): boolean {
    return this.#clearedOf(() => this.#sight.inTheWay(deed, asked, target), waiting)
  }

  #clearedOf(inTheWay: () => readonly Gate[] | undefined, waiting: ReadonlySet<Gate>): boolean {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const first = inTheWay()
      if (!first) return false
      if (first.length === 0) return true
      if (!first.every(gate => this.#opened(gate, waiting))) return false
    }
    return false
  }
}
