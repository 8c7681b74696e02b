import type { EvaluationResult, Event, Session } from '../../../../engine/index.ts'
import { isClosedByPrompt } from '../../abstraction/condition-atoms.ts'
import { callEndKey, type EventRelevance } from '../agent-action.ts'
import { factsWithAnswer, possibleCallEndings, toCallEndEvent, toCaller, withoutSpawns } from '../call-endings.ts'
import { withoutLiveAgent } from '../state/control-state.ts'
import type { SystemState } from '../state/system-state.ts'
import type { StateTransition, SystemStep } from '../step.ts'
import type { EventPlayer, TransitionSystemOptions } from '../transition-system-options.ts'
import type { LiveAgent } from './live-agents.ts'

/** The start and the end of a spawned agent. */
export class AgentTransitions {
  readonly #system: EventPlayer
  readonly #options: TransitionSystemOptions
  readonly #isStatusRead: boolean
  /** a prompt closes a gate, so the turn in which an agent began matters */
  readonly #isTurnOfStartRelevant: boolean
  readonly #relevanceByEvent = new Map<string, EventRelevance>()

  constructor(system: EventPlayer, options: TransitionSystemOptions, asksStatus: boolean) {
    this.#system = system
    this.#options = options
    this.#isStatusRead = asksStatus
    this.#isTurnOfStartRelevant = options.program.gates.some(isClosedByPrompt)
  }

  /** The call starts an agent, or the agent's start is refused. */
  spawnTransitions(
    state: SystemState,
    type: string,
    event: Event,
    beginResult: EvaluationResult,
    step: SystemStep,
  ): readonly StateTransition[] {
    const liveAgent: LiveAgent = { type, spawnEvent: event }
    const caller = this.#system.profile.infersCallers ? ({ kind: 'unknown' } as const) : toCaller(type)
    const start: Event = { ...this.#system.eventWithoutCall('agent.start'), caller, agent: type }
    const started =
      this.#system.isRelevantKind('agent.start') ||
      (this.#isTurnOfStartRelevant && this.#system.profile.sendsEvent('agent.start'))
        ? [this.#system.evaluate(start, beginResult.session)]
        : []
    const last = started.at(-1) ?? beginResult
    const isRefused = last.outcome.decision === 'deny'
    const reached = isRefused
      ? this.#system.states.reach(withoutSpawns(last.session), withoutLiveAgent(state))
      : this.#system.states.reach(last.session, { ...withoutLiveAgent(state), liveAgent })
    return [
      {
        step: { ...step, ending: isRefused ? 'refused' : 'unreported' },
        ...reached,
        results: [beginResult, ...started],
      },
    ]
  }

  /** How gates may react to an agent's stop or to the end of the spawning call. The caller may be unknown if callers are inferred. */
  #relevanceOf(event: Event): EventRelevance {
    const key = `${callEndKey(event)} ${event.agent ?? event.call?.id}`
    const known = this.#relevanceByEvent.get(key)
    if (known) return known
    const callers = [event.agent === undefined ? event.caller : toCaller(event.agent), { kind: 'unknown' } as const]
    const each = callers
      .slice(0, this.#system.profile.infersCallers ? 2 : 1)
      .map(caller => this.#options.eventRelevance({ ...event, caller }))
    const found = {
      isObserved: each.some(relevance => relevance.isObserved),
      captures: each.some(relevance => relevance.captures),
    }
    this.#relevanceByEvent.set(key, found)
    return found
  }

  /** The live agent stops, with or without a stop event, and the call that spawned it ends. */
  endings(state: SystemState, liveAgent: LiveAgent): readonly StateTransition[] {
    return [
      ...this.#reportedStops(state, liveAgent),
      ...this.#spawnCallEndings(state, liveAgent, state.session, { actor: liveAgent.type, isUnreported: true }, []),
    ]
  }

  #reportedStops(state: SystemState, liveAgent: LiveAgent): readonly StateTransition[] {
    if (!this.#system.profile.sendsEvent('agent.stop')) return []
    const caller = this.#system.profile.infersCallers ? ({ kind: 'unknown' } as const) : toCaller(liveAgent.type)
    const event: Event = { ...this.#system.eventWithoutCall('agent.stop'), caller, agent: liveAgent.type }
    return (this.#relevanceOf(event).captures ? this.#system.possibleAnswers : [undefined]).flatMap(answer => {
      const stopped = this.#system.evaluate(event, state.session, factsWithAnswer(answer))
      const step: SystemStep = { actor: liveAgent.type, event, ...(answer !== undefined && { answer }) }
      if (stopped.outcome.decision === 'deny')
        return [
          {
            step: { ...step, ending: 'refused' as const },
            ...this.#system.states.reach(stopped.session, state),
            results: [stopped],
          },
        ]
      return this.#spawnCallEndings(state, liveAgent, stopped.session, step, [stopped])
    })
  }

  #spawnCallEndings(
    state: SystemState,
    liveAgent: LiveAgent,
    session: Session,
    step: SystemStep,
    results: readonly EvaluationResult[],
  ): readonly StateTransition[] {
    return possibleCallEndings(this.#system.profile, liveAgent.spawnEvent, {
      isStatusRead: this.#isStatusRead,
    }).flatMap(({ kind, status }) => {
      const ended = toCallEndEvent(liveAgent.spawnEvent, kind, status)
      const { isObserved, captures } = this.#relevanceOf(ended)
      if (!isObserved && state.session.waiting.length === 0)
        return [
          {
            step: { ...step, ending: status },
            ...this.#system.states.reach(withoutSpawns(session), withoutLiveAgent(state)),
            results,
          },
        ]
      const answers = results.length > 0 ? [step.answer] : captures ? this.#system.possibleAnswers : [undefined]
      return answers.map(answer => {
        const result = this.#system.evaluate(ended, session, factsWithAnswer(answer))
        return {
          step: { ...step, ending: status, ...(answer !== undefined && { answer }) },
          ...this.#system.states.reach(withoutSpawns(result.session), withoutLiveAgent(state)),
          results: [...results, result],
        }
      })
    })
  }
}
