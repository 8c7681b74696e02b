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
  readonly #system: EventPlayer
  readonly #prompts: readonly SamplePrompt[]
  readonly #countsTurns: boolean
  readonly #mayRefuseEveryPrompt: boolean

  constructor(world: EventPlayer, parts: TransitionSystemOptions) {
    this.#system = world
    this.#mayRefuseEveryPrompt = parts.mayRefuseEveryPrompt
    this.#prompts = distinguishablePrompts(parts)
    this.#countsTurns = atomsOfProgram(parts.program).some(
      atom => atom.key === 'since' && atom.counters.some(one => one.unit === 'turns'),
    )
  }

  transitionsFrom(state: SystemState): readonly StateTransition[] {
    const world = this.#system
    const rests = isAwaitingPrompt(state.session)
    const prompts = this.#prompts.map(prompt => ({
      actor: 'person',
      event: { ...world.eventWithoutCall('prompt.submit'), prompt },
    }))
    const others = LIFECYCLE_EVENTS.filter(kind => world.isRelevantKind(kind)).map(kind => ({
      actor: 'client',
      event: world.eventWithoutCall(kind),
    }))
    const end = { actor: 'main', event: world.eventWithoutCall('turn.stop') }
    const isTold =
      world.isRelevantKind('turn.stop') || (this.#mayRefuseEveryPrompt && world.profile.sendsEvent('turn.stop'))
    const steps: readonly SystemStep[] = [
      ...(world.isRelevantKind('prompt.submit') || this.#countsTurns ? prompts : []),
      ...(isTold && !rests ? [end] : []),
      ...others,
    ]
    const told = steps.flatMap(step => (step.event ? [this.#transitionOf(state, step, step.event)] : []))
    if (!this.#mayRefuseEveryPrompt || isTold || rests) return told
    // a turn also ends on clients that send no event for it
    return [
      ...told,
      { step: end, ...world.states.reach(setAwaitingPrompt(state.session, true), state.liveAgent), results: [] },
    ]
  }

  #transitionOf(state: SystemState, step: SystemStep, event: Event): StateTransition {
    const { states, profile } = this.#system
    const result = this.#system.evaluate(event, state.session)
    const ends = profile.infersCallers && result.session.spawns.length === 0
    const live = ends ? undefined : state.liveAgent
    const refused = result.outcome.decision === 'deny'
    const rested = isAwaitingPrompt(state.session)
    const rests = refused
      ? rested
      : isWorkPrompt(event.prompt)
        ? false
        : event.kind === 'turn.stop'
          ? this.#mayRefuseEveryPrompt
          : rested
    const session = setAwaitingPrompt(carryPendingCall(state.session, result.session), rests)
    const begins = rested && (isWorkPrompt(event.prompt) || event.kind === 'session.start')
    return {
      step: { ...step, ...(refused && { ending: 'refused' as const }), ...(begins && { startsWork: begins }) },
      ...states.reach(session, live),
      results: [result],
    }
  }
}
