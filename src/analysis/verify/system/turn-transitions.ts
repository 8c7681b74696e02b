import type { Event, EventKind } from '../../../engine/index.ts'
import { atomsOfProgram } from '../abstraction/condition-atoms.ts'
import {
  distinguishablePrompts,
  isWorkPrompt,
  type SamplePrompt,
} from '../abstraction/input-partitioning/prompt-classes.ts'
import { carryPendingCall, isAwaitingPrompt, setAwaitingPrompt } from './pending-calls.ts'
import type { SystemState } from './state-space.ts'
import type { StateTransition, SystemStep } from './step.ts'
import type { EventPlayer, TransitionSystemOptions } from './transition-system-options.ts'

const LIFECYCLE_EVENTS: readonly EventKind[] = [
  'session.start',
  'session.end',
  'compact.before',
  'notification',
  'other',
]

/** Prompts, ends of turns and lifecycle events, if the program names them. */
export class TurnTransitions {
  readonly #world: EventPlayer
  readonly #prompts: readonly SamplePrompt[]
  readonly #counts: boolean
  readonly #rests: boolean

  constructor(world: EventPlayer, parts: TransitionSystemOptions) {
    this.#world = world
    this.#rests = parts.rests
    this.#prompts = distinguishablePrompts(parts)
    this.#counts = atomsOfProgram(parts.program).some(
      atom => atom.key === 'since' && atom.counters.some(one => one.unit === 'turns'),
    )
  }

  moves(state: SystemState): readonly StateTransition[] {
    const world = this.#world
    const rests = isAwaitingPrompt(state.session)
    const prompts = this.#prompts.map(prompt => ({
      by: 'person',
      event: { ...world.bare('prompt.submit'), prompt },
    }))
    const others = LIFECYCLE_EVENTS.filter(kind => world.concerns(kind)).map(kind => ({
      by: 'client',
      event: world.bare(kind),
    }))
    const end = { by: 'main', event: world.bare('turn.stop') }
    const isTold = world.concerns('turn.stop') || (this.#rests && world.view.has('turn.stop'))
    const steps: readonly SystemStep[] = [
      ...(world.concerns('prompt.submit') || this.#counts ? prompts : []),
      ...(isTold && !rests ? [end] : []),
      ...others,
    ]
    const told = steps.flatMap(step => (step.event ? [this.#tell(state, step, step.event)] : []))
    if (!this.#rests || isTold || rests) return told
    // a turn also ends on clients that send no event for it
    return [
      ...told,
      { step: end, ...world.states.reached(setAwaitingPrompt(state.session, true), state.live), results: [] },
    ]
  }

  #tell(state: SystemState, step: SystemStep, event: Event): StateTransition {
    const { states, view } = this.#world
    const result = this.#world.ask(event, state.session)
    const ends = view.inferred && result.session.spawns.length === 0
    const live = ends ? undefined : state.live
    const refused = result.outcome.decision === 'deny'
    const rested = isAwaitingPrompt(state.session)
    const rests = refused
      ? rested
      : isWorkPrompt(event.prompt)
        ? false
        : event.kind === 'turn.stop'
          ? this.#rests
          : rested
    const session = setAwaitingPrompt(carryPendingCall(state.session, result.session), rests)
    const begins = rested && (isWorkPrompt(event.prompt) || event.kind === 'session.start')
    return {
      step: { ...step, ...(refused && { end: 'refused' as const }), ...(begins && { begins }) },
      ...states.reached(session, live),
      results: [result],
    }
  }
}
