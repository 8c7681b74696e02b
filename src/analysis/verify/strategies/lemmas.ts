import type { Gate } from '../../../engine/index.ts'
import type { ConeOfInfluence } from '../abstraction/cone-of-influence.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'
import type { StrategyOptions } from './opening-actions.ts'

/** An exploration proved that a gate can be opened from every state. `mayClose`: gates that may be closed on the way. */
interface Lemma {
  readonly mayClose: ReadonlySet<Gate>
  /** a person may have to be asked */
  readonly needsPerson: boolean
  /** with inferred callers, the opening agent may have to end before another acts, and its end may close the gate again */
  readonly mayReclose: boolean
}

/** Results of explorations that later strategy searches can use. */
export class Lemmas {
  readonly #options: StrategyOptions
  readonly #lemmas = new Map<Gate, Lemma>()

  constructor(options: StrategyOptions) {
    this.#options = options
  }

  of(gate: Gate): Lemma | undefined {
    return this.#lemmas.get(gate)
  }

  /** Records that this gate can be opened from every state by actions of the cone. */
  record(gate: Gate, { gates, actions }: ConeOfInfluence): void {
    const { dependencies, profile } = this.#options
    const all = [...actions.values()]
    const ends = all.filter(({ spawns, events }) => spawns !== undefined || events[0]?.kind === 'agent.stop')
    this.#lemmas.set(gate, {
      mayClose: new Set(dependencies.program.gates.filter(other => other !== gate && this.#mayClose(other, all))),
      needsPerson: [...gates].some(gate => gate.opens === 'human'),
      mayReclose: profile.infersCallers && this.#mayClose(gate, ends),
    })
  }

  #mayClose({ transitions }: Gate, actions: readonly AgentAction[]): boolean {
    return transitions.some(
      transition =>
        transition.to === 'closed' &&
        actions.some(({ events, call }) =>
          events.some(event => mayTriggerTransition(transition, event, this.#options.mayMust, call?.isApproved)),
        ),
    )
  }
}
