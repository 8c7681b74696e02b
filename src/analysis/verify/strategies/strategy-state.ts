import type { Event, Gate } from '../../../engine/index.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isPerAgentGate } from '../system/actor.ts'
import { mayTriggerTransition } from '../system/agent-action.ts'
import { FillerCalls } from './filler-calls.ts'
import { isExpiringGate, mayCloseGate, operationsSpentBy, operationsUntilClosed } from './open-duration.ts'
import type { OpeningActions, StrategyOptions } from './opening-actions.ts'

/** Gates opened so far, each with the number of operations for which it certainly stays open. */
export class OpenGates {
  readonly #left: Map<Gate, number>
  /** gates that may have been opened earlier at an unknown time */
  readonly #tried: Set<Gate>

  constructor(left: Iterable<readonly [Gate, number]> = [], tried: Iterable<Gate> = []) {
    this.#left = new Map(left)
    this.#tried = new Set(tried)
  }

  copy = (): OpenGates => new OpenGates(this.#left, this.#tried)

  get gates(): readonly Gate[] {
    return [...this.#left.keys()]
  }

  has(gate: Gate): boolean {
    return this.#left.has(gate)
  }

  isOpen = (id: string): boolean => this.gates.some(one => one.id === id)

  leftOf = (gate: Gate): number => this.#left.get(gate) ?? 0

  isTried = (gate: Gate): boolean => this.#tried.has(gate)

  try(gate: Gate): void {
    this.#tried.add(gate)
  }

  add(gate: Gate, left: number): void {
    this.#left.set(gate, left)
    this.#tried.add(gate)
  }

  /** Also removes gates whose remaining operations depend on this gate being open. */
  delete(gate: Gate): void {
    if (!this.#left.delete(gate)) return
    for (const one of this.gates) if (operationsUntilClosed(one, this.isOpen) < this.leftOf(one)) this.delete(one)
  }

  spend(gate: Gate, operations: number): void {
    const left = this.leftOf(gate) - operations
    if (left < 1) this.delete(gate)
    else this.#left.set(gate, left)
  }
}

/** The gates opened so far, and the current actor. */
export class StrategyState {
  open = new OpenGates()
  actor = 'main'
  readonly idling: FillerCalls
  readonly #oracle: MayMustEvaluator
  readonly #expiring: readonly Gate[]

  constructor(parts: StrategyOptions, openers: OpeningActions) {
    this.idling = new FillerCalls(parts, openers)
    this.#oracle = parts.oracle
    this.#expiring = parts.field.program.gates.filter(isExpiringGate)
  }

  /** Operations for which the gate certainly stays open. If it may have been open before, its count is unknown until it expires once. */
  lasts(gate: Gate): number {
    const longest = operationsUntilClosed(gate, this.open.isOpen)
    const isNew = isExpiringGate(gate) && !this.open.isTried(gate) && this.idling.canIdle(this.actor)
    return longest === Infinity || isNew ? longest : Math.min(1, longest)
  }

  add(gate: Gate, { atOnce = false } = {}): void {
    this.open.add(gate, this.lasts(gate) - Number(atOnce))
  }

  /** Removes gates that these events may close, and per-agent gates, because the actor changes. */
  forget(told: readonly Event[], times = 1, meant?: Gate): void {
    for (const one of this.open.gates)
      if (isPerAgentGate(one) || mayCloseGate(one, told, this.#oracle)) this.open.delete(one)
    this.spend(told, times, meant)
  }

  /** Counts these events as operations. They may also open expiring gates other than `meant`. */
  spend(told: readonly Event[], times = 1, meant?: Gate): void {
    for (const one of this.open.gates)
      if (this.open.leftOf(one) < Infinity) this.open.spend(one, times * operationsSpentBy(one, told, this.#oracle))
    for (const one of this.#expiring) if (one !== meant && this.#mayOpen(one, told)) this.open.try(one)
  }

  #mayOpen({ transitions }: Gate, told: readonly Event[]): boolean {
    return transitions.some(
      step =>
        step.to === 'open' &&
        told.some(event => [true, false].some(approved => mayTriggerTransition(step, event, this.#oracle, approved))),
    )
  }

  /** Gates that will no longer be open after these events. */
  lateAfter(told: readonly Event[]): readonly Gate[] {
    return this.open.gates.filter(one => this.open.leftOf(one) <= operationsSpentBy(one, told, this.#oracle))
  }
}
