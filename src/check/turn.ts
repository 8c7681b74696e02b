import type { Event } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import { atomsOfProgram } from './atom.ts'
import { isResting, resting, stillPending } from './awaited.ts'
import { isWork, type Prompt, promptsFor } from './prompt.ts'
import type { State } from './state.ts'
import type { Step } from './step.ts'
import type { Move, World } from './world.ts'
import type { WorldParts } from './world-parts.ts'

const OTHERS: readonly EventKind[] = ['session.start', 'session.end', 'compact.before', 'notification', 'other']

/** Prompts, ends of turns and what else a client tells of, where anything speaks of it. */
export class Turns {
  readonly #world: World
  readonly #prompts: readonly Prompt[]
  readonly #counts: boolean
  readonly #rests: boolean

  constructor(world: World, parts: WorldParts) {
    this.#world = world
    this.#rests = parts.rests
    this.#prompts = promptsFor(parts)
    this.#counts = atomsOfProgram(parts.program).some(
      atom => atom.key === 'since' && atom.counters.some(one => one.unit === 'turns'),
    )
  }

  moves(state: State): readonly Move[] {
    const world = this.#world
    const rests = isResting(state.session)
    const prompts = this.#prompts.map(prompt => ({
      by: 'person',
      event: { ...world.bare('prompt.submit'), prompt },
    }))
    const others = OTHERS.filter(kind => world.concerns(kind)).map(kind => ({ by: 'client', event: world.bare(kind) }))
    const end = { by: 'main', event: world.bare('turn.stop') }
    const isTold = world.concerns('turn.stop') || (this.#rests && world.view.has('turn.stop'))
    const steps: readonly Step[] = [
      ...(world.concerns('prompt.submit') || this.#counts ? prompts : []),
      ...(isTold && !rests ? [end] : []),
      ...others,
    ]
    const told = steps.flatMap(step => (step.event ? [this.#tell(state, step, step.event)] : []))
    if (!this.#rests || isTold || rests) return told
    // where nobody tells of it, a turn ends all the same
    return [...told, { step: end, ...world.states.reached(resting(state.session, true), state.live), results: [] }]
  }

  #tell(state: State, step: Step, event: Event): Move {
    const { states, view } = this.#world
    const result = this.#world.ask(event, state.session)
    const ends = view.inferred && result.session.spawns.length === 0
    const live = ends ? undefined : state.live
    const refused = result.outcome.decision === 'deny'
    const rested = isResting(state.session)
    const rests = refused ? rested : isWork(event.prompt) ? false : event.kind === 'turn.stop' ? this.#rests : rested
    const session = resting(stillPending(state.session, result.session), rests)
    const begins = rested && (isWork(event.prompt) || event.kind === 'session.start')
    return {
      step: { ...step, ...(refused && { end: 'refused' as const }), ...(begins && { begins }) },
      ...states.reached(session, live),
      results: [result],
    }
  }
}
