import type { Event, Gate } from '../../../engine/index.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isPerAgentGate } from '../system/actor.ts'
import { mayTriggerTransition } from '../system/agent-action.ts'
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

  isOpen = (id: string): boolean => this.gates.some(one => one.id === id)

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
    for (const one of this.gates) if (operationsUntilClosed(one, this.isOpen) < this.remainingOf(one)) this.delete(one)
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

  constructor(parts: StrategyOptions, openers: OpeningActions) {
    this.fillers = new FillerCalls(parts, openers)
    this.#mayMust = parts.mayMust
    this.#expiring = parts.dependencies.program.gates.filter(isExpiringGate)
  }

  /** Operations for which the gate certainly stays open. If it may have been open before, its count is unknown until it expires once. */
  operationsOpen(gate: Gate): number {
    const longest = operationsUntilClosed(gate, this.openGates.isOpen)
    const isNew = isExpiringGate(gate) && !this.openGates.mayHaveBeenOpen(gate) && this.fillers.canIdle(this.actor)
    return longest === Infinity || isNew ? longest : Math.min(1, longest)
  }

  add(gate: Gate, { opensAtBegin = false } = {}): void {
    this.openGates.add(gate, this.operationsOpen(gate) - Number(opensAtBegin))
  }

  /** Removes gates that these events may close, and per-agent gates, because the actor changes. */
  invalidate(told: readonly Event[], times = 1, meant?: Gate): void {
    for (const one of this.openGates.gates)
      if (isPerAgentGate(one) || mayCloseGate(one, told, this.#mayMust)) this.openGates.delete(one)
    this.charge(told, times, meant)
  }

  /** Counts these events as operations. They may also open expiring gates other than `meant`. */
  charge(told: readonly Event[], times = 1, meant?: Gate): void {
    for (const one of this.openGates.gates)
      if (this.openGates.remainingOf(one) < Infinity)
        this.openGates.charge(one, times * operationsSpentBy(one, told, this.#mayMust))
    for (const one of this.#expiring)
      if (one !== meant && this.#mayOpen(one, told)) this.openGates.markOpenedEarlier(one)
  }

  #mayOpen({ transitions }: Gate, told: readonly Event[]): boolean {
    return transitions.some(
      step =>
        step.to === 'open' &&
        told.some(event => [true, false].some(approved => mayTriggerTransition(step, event, this.#mayMust, approved))),
    )
  }

  /** Gates that will no longer be open after these events. */
  expiredAfter(told: readonly Event[]): readonly Gate[] {
    return this.openGates.gates.filter(
      one => this.openGates.remainingOf(one) <= operationsSpentBy(one, told, this.#mayMust),
    )
  }
}
