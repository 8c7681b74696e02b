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
  readonly #dependencies: DependencyGraph
  readonly #mayMust: MayMustEvaluator
  readonly #profile: ClientProfile
  readonly #openers: OpeningActions
  readonly #lemmas: Lemmas
  readonly #state: StrategyState
  readonly #obstructions: ObstructionAnalysis
  readonly #options: StrategyOptions
  #attemptsLeft = 0
  #withPeople = true
  /** an agent is spawned between the last opening and its goal */
  #isSpawnBeforeGoal = false
  /** the agent that acts when the reported caller is unknown */
  #ambiguousActor = 'main'
  /** it is unknown when the agent began, so it cannot open gates that a later prompt closes */
  #isStartUnknown = false

  constructor(options: StrategyOptions) {
    const { dependencies, mayMust, profile } = options
    this.#dependencies = dependencies
    this.#mayMust = mayMust
    this.#profile = profile
    this.#options = options
    this.#openers = new OpeningActions(options)
    this.#lemmas = new Lemmas(options)
    this.#state = new StrategyState(options, this.#openers)
    this.#obstructions = new ObstructionAnalysis(options, this.#openers, this.#state)
  }

  /** Can an agent, or a person for `opens: human` gates, open it from every state? */
  canOpen(gate: Gate): boolean {
    this.#begin({ withPeople: true })
    const isOpened = this.#open(gate, new Set(), { isGoal: true })
    return isOpened && (!isPerAgentGate(gate) || !this.#profile.infersCallers || this.#canUnknownCallerOpen(gate))
  }

  /** With two live agents and inferred callers, events have an unknown caller with a gate state of its own. */
  #canUnknownCallerOpen(gate: Gate): boolean {
    const spawns = this.#dependencies.actions.filter(action => action.actor === 'main' && action.spawns !== undefined)
    if (this.#dependencies.isUnpredictable || this.#openers.mayEndBeRefused) return false
    return spawns.some(first =>
      spawns.some(next => first.spawns !== next.spawns && this.#canOneOfTwoOpen(gate, first, next)),
    )
  }

  #canOneOfTwoOpen(gate: Gate, first: AgentAction, next: AgentAction): boolean {
    this.#begin({ withPeople: true })
    const [one, secondEvents] = [refusableEvents(first), refusableEvents(next)]
    if (!this.#clearObstructions(first, one, undefined, new Set())) return false
    this.#state.invalidate(one)
    if (this.#obstructions.gatesToOpen(next, secondEvents, undefined)?.length !== 0) return false
    this.#state.invalidate(secondEvents)
    this.#state.actor = UNKNOWN_ACTOR
    this.#ambiguousActor = first.spawns ?? UNKNOWN_ACTOR
    return this.#open(gate, new Set(), { isGoal: true })
  }

  /** Can every agent to which the gate refuses something open it for itself, alone, whenever it began? */
  canEachAgentOpen(gate: Gate): boolean {
    const { actions } = this.#dependencies
    const isRefused = (agent: string): boolean =>
      gate.mode !== 'block' ||
      actions.some(action => action.actor === agent && this.#dependencies.refusers(action).includes(gate))
    return this.#options.agents.every(agent => {
      this.#begin({ withPeople: true, loneAgent: agent })
      return !isRefused(agent) || this.#open(gate, new Set(), { isGoal: true })
    })
  }

  /** Can an agent reach a state in which this action is allowed, from every state and without a person? */
  canEnd(action: AgentAction): boolean {
    if (this.#profile.infersCallers && action.actor !== 'main')
      return !this.#dependencies.isUnpredictable && !this.#openers.mayEndBeRefused
    this.#begin({ withPeople: false, ...(action.actor !== 'main' && { loneAgent: action.actor }) })
    const events = refusableEvents(action).flatMap(event => this.#openers.callers(event, action))
    return !this.#dependencies.isUnpredictable && this.#clearObstructions(action, events, undefined, new Set())
  }

  /** Can an actor reach, from every state, one in which no closed gate refuses the action? Unconditional refusals do not count. */
  canBePermitted(action: AgentAction): boolean {
    if (this.#dependencies.isUnpredictable) return false
    const work = refusableEvents(action)
      .flatMap(event => this.#openers.callers(event, action))
      // the spawned agent is the only live one, so the caller is known
      .filter(event => action.actor === 'main' || event.caller.kind !== 'unknown')
    const isFree = (then?: string): readonly Gate[] | undefined =>
      this.#obstructions.gatesToOpen(action, work, undefined, { isWork: true, then })
    if (action.actor === 'main') {
      this.#begin({ withPeople: true })
      return this.#clear(() => isFree(), new Set())
    }
    const { actions } = this.#dependencies
    if (this.#openers.mayEndBeRefused) return false
    return actions.some(
      spawn =>
        spawn.actor === 'main' && spawn.spawns === action.actor && this.#canSpawnedAgentBePermitted(spawn, isFree),
    )
  }

  /** Live agents end, and a new agent is spawned that opens its own gates and does the action. */
  #canSpawnedAgentBePermitted(spawn: AgentAction, isFree: (then?: string) => readonly Gate[] | undefined): boolean {
    this.#begin({ withPeople: true, isSpawnBeforeGoal: true })
    const asked = refusableEvents(spawn).flatMap(event => this.#openers.callers(event, spawn))
    const first = (): readonly Gate[] | undefined => {
      const [own, work] = [this.#obstructions.gatesToOpen(spawn, asked, undefined), isFree(spawn.spawns)]
      return own && work && [...new Set([...own, ...work])]
    }
    if (!this.#clear(first, new Set())) return false
    this.#state.invalidate(asked)
    this.#state.actor = spawn.spawns ?? 'main'
    return this.#clear(() => isFree(), new Set())
  }

  recordLemma(gate: Gate, cone: ConeOfInfluence): void {
    this.#lemmas.record(gate, cone)
  }

  #begin({ withPeople, isSpawnBeforeGoal = false, loneAgent }: StrategyConstraints): void {
    this.#isSpawnBeforeGoal = isSpawnBeforeGoal
    this.#state.actor = loneAgent ?? 'main'
    this.#isStartUnknown = loneAgent !== undefined
    this.#state.openGates = new OpenGates()
    this.#attemptsLeft = MAX_TRIED_ACTIONS
    this.#withPeople = withPeople
  }

  #open(gate: Gate, waiting: ReadonlySet<Gate>, { isGoal = false } = {}): boolean {
    if (this.#state.openGates.has(gate)) return true
    if (waiting.has(gate) || gate.initial === undefined || (this.#isStartUnknown && isClosedByPrompt(gate)))
      return false
    if (!isGoal && !this.#state.staysOpen(gate, { opensAtBegin: false }, this.#isSpawnBeforeGoal)) return false
    if (gate.opens === 'human' && this.#withPeople && !isPerAgentGate(gate)) {
      this.#state.add(gate)
      return true
    }
    const before = this.#state.openGates.copy()
    for (const opener of this.#openersOf(gate)) {
      if (this.#attemptsLeft-- <= 0 || !this.#options.chargeAttempt()) return false
      if (!isGoal && !this.#state.staysOpen(gate, opener, this.#isSpawnBeforeGoal)) continue
      if (this.#perform(opener, gate, new Set([...waiting, gate]))) return true
      this.#state.openGates = before.copy()
    }
    if (!isGoal && !this.#state.staysOpen(gate, { opensAtBegin: true }, this.#isSpawnBeforeGoal)) return false
    return this.#openByWaiting(gate) || this.#openByCounting(gate, waiting) || this.#openByLemma(gate, { isGoal })
  }

  /** For a per-agent gate, only the main agent's own events open the main agent's state. */
  #openersOf(gate: Gate): readonly OpeningAction[] {
    if (this.#state.actor === UNKNOWN_ACTOR)
      return this.#openers.ownOpenersOf(gate, this.#ambiguousActor, UNKNOWN_ACTOR)
    if (this.#state.actor !== 'main') return this.#openers.ownOpenersOf(gate, this.#state.actor)
    const all = this.#openers.of(gate)
    return isPerAgentGate(gate)
      ? all.filter(({ openingEvents }) => openingEvents.every(event => isCalledBy(event, 'main')))
      : all
  }

  /** Elapsed time opens the gate at the next event, if that event does not close it. */
  #openByWaiting(gate: Gate): boolean {
    if (
      this.#state.actor !== 'main' ||
      isPerAgentGate(gate) ||
      this.#dependencies.isUnpredictable ||
      !isOpenedByTime(gate)
    )
      return false
    const events = this.#dependencies.actions
      .filter(({ actor, call, spawns }) => actor === 'main' && call && !call.isApproved && spawns === undefined)
      .map(action => action.events.flatMap(event => this.#openers.callers(event, action)))
      .find(each => !mayCloseGate(gate, each, this.#mayMust))
    if (!events) return false
    for (const gate of this.#state.openGates.gates) if (isClosedByClock(gate)) this.#state.openGates.delete(gate)
    this.#state.invalidate(events, 1, gate)
    this.#state.add(gate, { opensAtBegin: true })
    return true
  }

  /** The required number of counted calls opens the gate, and all of them are allowed. */
  #openByCounting(gate: Gate, waiting: ReadonlySet<Gate>): boolean {
    const operations = operationsUntilOpen(gate)
    if (
      operations === undefined ||
      this.#state.actor !== 'main' ||
      isPerAgentGate(gate) ||
      this.#dependencies.isUnpredictable
    )
      return false
    const before = this.#state.openGates.copy()
    return this.#state.fillers.countedBy(gate).some(action => {
      this.#state.openGates = before.copy()
      const events = action.events.flatMap(event => this.#openers.callers(event, action))
      const asked = refusableEvents(action).flatMap(event => this.#openers.callers(event, action))
      if (mayCloseGate(gate, events, this.#mayMust)) return false
      if (!this.#clearObstructions(action, asked, undefined, new Set([...waiting, gate]))) return false
      // the transition happens at the event after the last counted one
      this.#state.invalidate(events, operations + 1, gate)
      if (this.#obstructions.gatesToOpen(action, asked, undefined)?.length !== 0) return false
      this.#state.add(gate, { opensAtBegin: true })
      return true
    })
  }

  #openByLemma(gate: Gate, { isGoal }: { readonly isGoal: boolean }): boolean {
    if (this.#state.actor !== 'main' || isPerAgentGate(gate)) return false
    const lemma = this.#lemmas.of(gate)
    if (!lemma || (lemma.needsPerson && !this.#withPeople) || (lemma.mayReclose && !isGoal)) return false
    const { openGates } = this.#state
    for (const gate of openGates.gates) if (lemma.mayClose.has(gate) || isClosedByClock(gate)) openGates.delete(gate)
    for (const other of this.#dependencies.program.gates) if (other !== gate) openGates.markOpenedEarlier(other)
    this.#state.add(gate, { opensAtBegin: true })
    return true
  }

  #perform(opener: OpeningAction, gate: Gate, waiting: ReadonlySet<Gate>): boolean {
    const { action, events, refusable, delegatedAction } = opener
    const target = { gate, opener }
    if (delegatedAction && this.#state.actor === 'main') return this.#delegate(target, delegatedAction, waiting)
    if (this.#dependencies.isUnpredictable || !this.#clearObstructions(action, refusable, target, waiting)) return false
    const mayMust = this.#mayMust.withKnownStates(this.#obstructions.knownStates(target))
    const closes = (gate: Gate): boolean =>
      gate.transitions.some(
        transition =>
          transition.to === 'closed' &&
          events.some(event => mayTriggerTransition(transition, event, mayMust, action.call?.isApproved)),
      )
    // events of the spawned agent after the opening must not close the gate again
    if (action.spawns !== undefined && closes(gate)) return false
    if (!this.#obstructions.isOpenUntilEnd(target)) return false
    for (const gate of this.#state.openGates.gates) if (closes(gate)) this.#state.openGates.delete(gate)
    this.#state.charge(events, 1, gate)
    this.#state.add(gate, opener)
    return true
  }

  /** An agent is spawned, opens its own gates, does the action and ends. */
  #delegate({ gate, opener }: OpeningGoal, then: AgentAction, waiting: ReadonlySet<Gate>): boolean {
    const { action, refusable, openingEvents } = opener
    const begun = refusable.filter(event => !then.events.includes(event))
    const gatesToOpen = (): readonly Gate[] | undefined =>
      this.#obstructions.gatesToOpen(action, refusable, { gate, opener }, { then: then.actor })
    if (this.#dependencies.isUnpredictable || !this.#clear(gatesToOpen, waiting)) return false
    this.#state.invalidate(begun)
    this.#state.actor = then.actor
    const own = openingEvents.flatMap(event => this.#openers.ownOpenersBy(then, event))
    const isDone = own.length > 0 && own.every(opener => this.#perform(opener, gate, waiting))
    this.#state.actor = 'main'
    this.#state.invalidate(this.#openers.endEventsOf(action))
    return isDone && this.#state.openGates.has(gate)
  }

  /** Opens all gates that obstruct the action. */
  #clearObstructions(
    action: AgentAction,
    asked: readonly Event[],
    target: OpeningGoal | undefined,
    waiting: ReadonlySet<Gate>,
  ): boolean {
    return this.#clear(() => this.#obstructions.gatesToOpen(action, asked, target), waiting)
  }

  #clear(inTheWay: () => readonly Gate[] | undefined, waiting: ReadonlySet<Gate>): boolean {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const first = inTheWay()
      if (!first) return false
      if (first.length === 0) return true
      if (!first.every(gate => this.#open(gate, waiting))) return false
    }
    return false
  }
}
