import type { Event, EventKind } from '../../../engine/index.ts'
import { atomsOfProgram } from '../abstraction/condition-atoms.ts'
import {
  distinguishablePrompts,
  isWorkPrompt,
  type SamplePrompt,
} from '../abstraction/input-partitioning/prompt-classes.ts'
import type { SystemState } from './state/system-state.ts'
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

  constructor(system: EventPlayer, options: TransitionSystemOptions) {
    this.#system = system
    this.#mayRefuseEveryPrompt = options.mayRefuseEveryPrompt
    this.#prompts = distinguishablePrompts(options)
    this.#countsTurns = atomsOfProgram(options.program).some(
      atom => atom.key === 'since' && atom.counters.some(counter => counter.unit === 'turns'),
    )
  }

  transitionsFrom(state: SystemState): readonly StateTransition[] {
    const system = this.#system
    const isAwaiting = state.isAwaitingPrompt
    const prompts = this.#prompts.map(prompt => ({
      actor: 'person',
      event: { ...system.eventWithoutCall('prompt.submit'), prompt },
    }))
    const others = LIFECYCLE_EVENTS.filter(kind => system.isRelevantKind(kind)).map(kind => ({
      actor: 'client',
      event: system.eventWithoutCall(kind),
    }))
    const end = { actor: 'main', event: system.eventWithoutCall('turn.stop') }
    const isReported =
      system.isRelevantKind('turn.stop') || (this.#mayRefuseEveryPrompt && system.profile.sendsEvent('turn.stop'))
    const steps: readonly SystemStep[] = [
      ...(system.isRelevantKind('prompt.submit') || this.#countsTurns ? prompts : []),
      ...(isReported && !isAwaiting ? [end] : []),
      ...others,
    ]
    const transitions = steps.flatMap(step => (step.event ? [this.#transitionOf(state, step, step.event)] : []))
    if (!this.#mayRefuseEveryPrompt || isReported || isAwaiting) return transitions
    // a turn also ends on clients that send no event for it
    return [
      ...transitions,
      { step: end, ...system.states.reach(state.session, { ...state, isAwaitingPrompt: true }), results: [] },
    ]
  }

  #transitionOf(state: SystemState, step: SystemStep, event: Event): StateTransition {
    const { states, profile } = this.#system
    const result = this.#system.evaluate(event, state.session)
    const endsLiveAgent = profile.infersCallers && result.session.spawns.length === 0
    const liveAgent = endsLiveAgent ? undefined : state.liveAgent
    const refused = result.outcome.decision === 'deny'
    const wasAwaitingPrompt = state.isAwaitingPrompt
    const isAwaitingPrompt = refused
      ? wasAwaitingPrompt
      : isWorkPrompt(event.prompt)
        ? false
        : event.kind === 'turn.stop'
          ? this.#mayRefuseEveryPrompt
          : wasAwaitingPrompt
    const begins = wasAwaitingPrompt && (isWorkPrompt(event.prompt) || event.kind === 'session.start')
    return {
      step: { ...step, ...(refused && { ending: 'refused' as const }), ...(begins && { startsWork: begins }) },
      ...states.reach(result.session, { ...state, liveAgent, isAwaitingPrompt }),
      results: [result],
    }
  }
}
