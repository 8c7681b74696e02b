import type { Gate } from '../core/index.ts'
import type { Cone } from './cone.ts'
import { type Deed, mayHappen } from './deed.ts'
import type { WayParts } from './opener.ts'

/** That a gate can be opened from everywhere was seen by looking at every state: what may be closed on the way. */
interface Lesson {
  readonly closes: ReadonlySet<Gate>
  /** a person may have to be asked */
  readonly people: boolean
  /** whoever opened it may be in flight, and has to end before anybody else acts: that closes it again */
  readonly isUndone: boolean
}

/** What was learnt of gates by looking. */
export class Lessons {
  readonly #parts: WayParts
  readonly #learnt = new Map<Gate, Lesson>()

  constructor(parts: WayParts) {
    this.#parts = parts
  }

  of(gate: Gate): Lesson | undefined {
    return this.#learnt.get(gate)
  }

  /** It was seen that this gate can be opened from everywhere, by what is in the cone. */
  learn(gate: Gate, { gates, deeds }: Cone): void {
    const { field, view } = this.#parts
    const all = [...deeds.values()]
    const ends = all.filter(({ spawns, events }) => spawns !== undefined || events[0]?.kind === 'agent.stop')
    this.#learnt.set(gate, {
      closes: new Set(field.program.gates.filter(one => one !== gate && this.#mayClose(one, all))),
      people: [...gates].some(one => one.opens === 'human'),
      isUndone: view.inferred && this.#mayClose(gate, ends),
    })
  }

  #mayClose({ transitions }: Gate, deeds: readonly Deed[]): boolean {
    return transitions.some(
      step =>
        step.to === 'closed' &&
        deeds.some(({ events, call }) =>
          events.some(event => mayHappen(step, event, this.#parts.oracle, call?.approved)),
        ),
    )
  }
}
