import { actsOf, type Event, type Gate } from '../core/index.ts'
import type { Field } from './cone.ts'
import { type Deed, mayAsk, mayHappen } from './deed.ts'
import type { Openers, WayParts } from './opener.ts'
import { type Oracle, TRUE } from './possible.ts'

/** Calls that are made to be counted. */
export class Idling {
  readonly #field: Field
  readonly #oracle: Oracle
  readonly #openers: Openers
  readonly #idle = new Map<string, boolean>()

  constructor({ field, oracle }: WayParts, openers: Openers) {
    this.#field = field
    this.#oracle = oracle
    this.#openers = openers
  }

  /** Is there a call of this one that nobody can refuse and that moves nothing? Then it can let every count run out. */
  canIdle(who: string): boolean {
    const known = this.#idle.get(who)
    if (known !== undefined) return known
    const can =
      !this.#openers.isAnybody &&
      this.#calls(who).some(deed => this.#field.refusers(deed).length === 0 && !this.#mayMove(deed))
    this.#idle.set(who, can)
    return can
  }

  /** Calls of the main agent that the gate counts for certain. */
  countedBy(gate: Gate): readonly Deed[] {
    const { counts } = gate
    const isCounted = (event: Event): boolean =>
      counts === undefined
        ? event.kind === 'tool.before'
        : actsOf(event).some(act => this.#oracle.answers(counts, act, event, 'any') === TRUE)
    const found = this.#calls('main').filter(({ events }) => events.slice(0, 1).some(isCounted))
    const isFree = (deed: Deed): boolean => this.#field.refusers(deed).length === 0
    return [...found.filter(isFree), ...found.filter(deed => !isFree(deed))].slice(0, MOST_TRIED)
  }

  /** Calls that need nobody's leave. */
  #calls(who: string): readonly Deed[] {
    const { gates } = this.#field.program
    return this.#field.deeds.filter(
      ({ by, call, spawns, events }) =>
        by === who &&
        call !== undefined &&
        !call.approved &&
        spawns === undefined &&
        !gates.some(gate => events.slice(0, 1).some(event => mayAsk(gate, event, this.#oracle))),
    )
  }

  #mayMove({ events }: Deed): boolean {
    return this.#field.program.gates.some(({ transitions }) =>
      transitions.some(step => events.some(event => mayHappen(step, event, this.#oracle))),
    )
  }
}

const MOST_TRIED = 8
