import type { Event, Gate } from '../../../engine/index.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { isPerAgentGate } from '../system/actor.ts'
import { mayTriggerTransition } from '../system/agent-action.ts'
import { FillerCalls } from './filler-calls.ts'
import { isExpiringGate, mayCloseGate, operationsSpentBy, operationsUntilClosed } from './open-duration.ts'
import type { OpeningActions, StrategyOptions } from './opening-actions.ts'

/** Gates that are open by now, each with the number of operations for which it surely stays so. */
export class OpenGates {
  readonly #left: Map<Gate, number>
  /** these may have been opened by now, and how long ago is not known */
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

  /** Also drops gates that stay open for so long only as long as this one is open. */
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

/** What has been opened by now, and who acts. */
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

  /** So many operations of its own, for certain. It may have been open before, and then for how long is known only if that has run out. */
  lasts(gate: Gate): number {
    const longest = operationsUntilClosed(gate, this.open.isOpen)
    const isNew = isExpiringGate(gate) && !this.open.isTried(gate) && this.idling.canIdle(this.actor)
    return longest === Infinity || isNew ? longest : Math.min(1, longest)
  }

  add(gate: Gate, { atOnce = false } = {}): void {
    this.open.add(gate, this.lasts(gate) - Number(atOnce))
  }

  /** What these may close, and what is only the matter of who was at it. */
  forget(told: readonly Event[], times = 1, meant?: Gate): void {
    for (const one of this.open.gates)
      if (isPerAgentGate(one) || mayCloseGate(one, told, this.#oracle)) this.open.delete(one)
    this.spend(told, times, meant)
  }

  /** These are counted, and may open what nobody meant to. */
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

  /** What is not open any more by the time these have been told. */
  lateAfter(told: readonly Event[]): readonly Gate[] {
    return this.open.gates.filter(one => this.open.leftOf(one) <= operationsSpentBy(one, told, this.#oracle))
  }
}
