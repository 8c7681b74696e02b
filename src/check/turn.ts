import type { Event } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import { atomsOfProgram } from './atom.ts'
import { type Prompt, promptsFor } from './prompt.ts'
import { type State, stillPending } from './state.ts'
import type { Step } from './step.ts'
import type { Move, World } from './world.ts'
import type { WorldParts } from './world-parts.ts'

const OTHERS: readonly EventKind[] = ['session.start', 'session.end', 'compact.before', 'notification', 'other']

/** Prompts, ends of turns and what else a client tells of, where anything speaks of it. */
export class Turns {
  readonly #world: World
  readonly #prompts: readonly Prompt[]
  readonly #counts: boolean

  constructor(world: World, parts: WorldParts) {
    this.#world = world
    this.#prompts = promptsFor(parts)
    this.#counts = atomsOfProgram(parts.program).some(
      atom => atom.key === 'since' && atom.counters.some(one => one.unit === 'turns'),
    )
  }

  moves(state: State): readonly Move[] {
    const world = this.#world
    const prompts = this.#prompts.map(prompt => ({
      by: 'person',
      event: { ...world.bare('prompt.submit'), prompt },
    }))
    const others = OTHERS.filter(kind => world.concerns(kind)).map(kind => ({ by: 'client', event: world.bare(kind) }))
    const steps: readonly Step[] = [
      ...(world.concerns('prompt.submit') || this.#counts ? prompts : []),
      ...(world.concerns('turn.stop') ? [{ by: 'main', event: world.bare('turn.stop') }] : []),
      ...others,
    ]
    return steps.flatMap(step => (step.event ? [this.#tell(state, step, step.event)] : []))
  }

  #tell(state: State, step: Step, event: Event): Move {
    const { states, view } = this.#world
    const result = this.#world.ask(event, state.session)
    const ends = view.inferred && result.session.spawns.length === 0
    const live = ends ? undefined : state.live
    const refused = result.outcome.decision === 'deny'
    const session = stillPending(state.session, result.session)
    return { step: refused ? { ...step, end: 'refused' } : step, to: states.of(session, live), results: [result] }
  }
}
