import type { Event, Gate } from '../../../engine/index.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isPerAgentGate } from '../system/actor.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'
import { FillerCalls } from './filler-calls.ts'
import { isExpiringGate, mayCloseGate, operationsSpentBy, operationsUntilClosed } from './open-duration.ts'
import type { OpeningActions, StrategyOptions } from './opening-actions.ts'

/** Gates opened so far, each with the number of operations for which it certainly stays open. */
export class OpenGates {
  readonly #remaining: Map<Gate, number>
  /** gates that may have been opened earlier at an unknown time */
  readonly #openedEarlier: Set<Gate>

  constructor(left: Iterable<readonly [Gate, number]> = [], tried: Iterable<Gate> = []) {
    this.#remaining = new Map(left)
    this.#openedEarlier = new Set(tried)
  }

  copy = (): OpenGates => new OpenGates(this.#remaining, this.#openedEarlier)

  get gates(): readonly Gate[] {
    return [...this.#remaining.keys()]
  }

  has(gate: Gate): boolean {
    return this.#remaining.has(gate)
  }

  isOpen = (id: string): boolean => this.gates.some(gate => gate.id === id)

  remainingOf = (gate: Gate): number => this.#remaining.get(gate) ?? 0

  mayHaveBeenOpen = (gate: Gate): boolean => this.#openedEarlier.has(gate)

  markOpenedEarlier(gate: Gate): void {
    this.#openedEarlier.add(gate)
  }

  add(gate: Gate, left: number): void {
    this.#remaining.set(gate, left)
    this.#openedEarlier.add(gate)
  }

  /** Also removes gates whose remaining operations depend on this gate being open. */
  delete(gate: Gate): void {
    if (!this.#remaining.delete(gate)) return
    for (const gate of this.gates)
      if (operationsUntilClosed(gate, this.isOpen) < this.remainingOf(gate)) this.delete(gate)
  }

  charge(gate: Gate, operations: number): void {
    const left = this.remainingOf(gate) - operations
    if (left < 1) this.delete(gate)
    else this.#remaining.set(gate, left)
  }
}

/** The gates opened so far, and the current actor. */
export class StrategyState {
  openGates = new OpenGates()
  actor = 'main'
  readonly fillers: FillerCalls
  readonly #mayMust: MayMustEvaluator
  readonly #expiring: readonly Gate[]
  readonly #spawns: readonly AgentAction[]

  constructor(options: StrategyOptions, openers: OpeningActions) {
    this.fillers = new FillerCalls(options, openers)
    this.#mayMust = options.mayMust
    this.#expiring = options.dependencies.program.gates.filter(isExpiringGate)
    this.#spawns = options.dependencies.actions.filter(({ spawns }) => spawns !== undefined)
  }

  /** Operations for which the gate certainly stays open. If it may have been open before, its count is unknown until it expires once. */
  operationsOpen(gate: Gate): number {
    const longest = operationsUntilClosed(gate, this.openGates.isOpen)
    const isNew = isExpiringGate(gate) && !this.openGates.mayHaveBeenOpen(gate) && this.fillers.canIdle(this.actor)
    return longest === Infinity || isNew ? longest : Math.min(1, longest)
  }

  /** Is the gate still open for the next event? An opening at the beginning of a call counts that call; a spawn may count, too. */
  staysOpen(gate: Gate, { opensAtBegin }: { readonly opensAtBegin: boolean }, isSpawnBeforeGoal: boolean): boolean {
    return (
      this.operationsOpen(gate) >= 1 + Number(opensAtBegin) + (isSpawnBeforeGoal ? this.#operationsOfSpawn(gate) : 0)
    )
  }

  /** A gate with `counts: { action: write }` counts no spawn. */
  #operationsOfSpawn(gate: Gate): number {
    return Math.max(0, ...this.#spawns.map(({ events }) => operationsSpentBy(gate, events, this.#mayMust)))
  }

  add(gate: Gate, { opensAtBegin = false } = {}): void {
    this.openGates.add(gate, this.operationsOpen(gate) - Number(opensAtBegin))
  }

  /** Removes gates that these events may close, and per-agent gates, because the actor changes. */
  invalidate(events: readonly Event[], times = 1, meant?: Gate): void {
    for (const gate of this.openGates.gates)
      if (isPerAgentGate(gate) || mayCloseGate(gate, events, this.#mayMust)) this.openGates.delete(gate)
    this.charge(events, times, meant)
  }

  /** Counts these events as operations. They may also open expiring gates other than `meant`. */
  charge(events: readonly Event[], times = 1, meant?: Gate): void {
    for (const gate of this.openGates.gates)
      if (this.openGates.remainingOf(gate) < Infinity)
        this.openGates.charge(gate, times * operationsSpentBy(gate, events, this.#mayMust))
    for (const gate of this.#expiring)
      if (gate !== meant && this.#mayOpen(gate, events)) this.openGates.markOpenedEarlier(gate)
  }

  #mayOpen({ transitions }: Gate, events: readonly Event[]): boolean {
    return transitions.some(
      transition =>
        transition.to === 'open' &&
        events.some(event =>
          [true, false].some(approved => mayTriggerTransition(transition, event, this.#mayMust, approved)),
        ),
    )
  }

  /** Gates that will no longer be open after these events. */
  expiredAfter(events: readonly Event[]): readonly Gate[] {
    return this.openGates.gates.filter(
      gate => this.openGates.remainingOf(gate) <= operationsSpentBy(gate, events, this.#mayMust),
    )
  }
}
