import type { EvaluationResult, Event, Session } from '../../../../engine/index.ts'
import { isClosedByPrompt } from '../../abstraction/condition-atoms.ts'
import { callEndKey, type EventRelevance } from '../agent-action.ts'
import { answerFacts, possibleCallEndings, toCallEndEvent, toCaller, withoutSpawns } from '../call-endings.ts'
import type { SystemState } from '../state-space.ts'
import type { StateTransition, SystemStep } from '../step.ts'
import type { EventPlayer, TransitionSystemOptions } from '../transition-system-options.ts'
import type { LiveAgent } from './live-agents.ts'

/** The start and the end of a spawned agent. */
export class AgentTransitions {
  readonly #world: EventPlayer
  readonly #parts: TransitionSystemOptions
  readonly #asksStatus: boolean
  /** a prompt closes a gate, so the turn in which an agent began matters */
  readonly #late: boolean
  readonly #heard = new Map<string, EventRelevance>()

  constructor(world: EventPlayer, parts: TransitionSystemOptions, asksStatus: boolean) {
    this.#world = world
    this.#parts = parts
    this.#asksStatus = asksStatus
    this.#late = parts.program.gates.some(isClosedByPrompt)
  }

  /** The call starts an agent, or the agent's start is refused. */
  spawn(type: string, event: Event, begun: EvaluationResult, step: SystemStep): readonly StateTransition[] {
    const live: LiveAgent = { type, call: event }
    const caller = this.#world.view.inferred ? ({ kind: 'unknown' } as const) : toCaller(type)
    const start: Event = { ...this.#world.bare('agent.start'), caller, agent: type }
    const started =
      this.#world.concerns('agent.start') || (this.#late && this.#world.view.has('agent.start'))
        ? [this.#world.ask(start, begun.session)]
        : []
    const last = started.at(-1) ?? begun
    const isRefused = last.outcome.decision === 'deny'
    const reached = isRefused
      ? this.#world.states.reached(withoutSpawns(last.session))
      : this.#world.states.reached(last.session, live)
    return [{ step: { ...step, end: isRefused ? 'refused' : 'left' }, ...reached, results: [begun, ...started] }]
  }

  /** How gates may react to an agent's stop or to the end of the spawning call. The caller may be unknown if callers are inferred. */
  #hearing(event: Event): EventRelevance {
    const key = `${callEndKey(event)} ${event.agent ?? event.call?.id}`
    const known = this.#heard.get(key)
    if (known) return known
    const callers = [event.agent === undefined ? event.caller : toCaller(event.agent), { kind: 'unknown' } as const]
    const each = callers
      .slice(0, this.#world.view.inferred ? 2 : 1)
      .map(caller => this.#parts.hearing({ ...event, caller }))
    const found = { told: each.some(one => one.told), captures: each.some(one => one.captures) }
    this.#heard.set(key, found)
    return found
  }

  /** The live agent stops, with or without a stop event, and the call that spawned it ends. */
  ends(state: SystemState, live: LiveAgent): readonly StateTransition[] {
    return [
      ...this.#stops(state, live),
      ...this.#finishes(state, live, state.session, { by: live.type, untold: true }, []),
    ]
  }

  #stops(state: SystemState, live: LiveAgent): readonly StateTransition[] {
    if (!this.#world.view.has('agent.stop')) return []
    const caller = this.#world.view.inferred ? ({ kind: 'unknown' } as const) : toCaller(live.type)
    const event: Event = { ...this.#world.bare('agent.stop'), caller, agent: live.type }
    return (this.#hearing(event).captures ? this.#world.outputs : [undefined]).flatMap(answer => {
      const stopped = this.#world.ask(event, state.session, answerFacts(answer))
      const step: SystemStep = { by: live.type, event, ...(answer !== undefined && { answer }) }
      if (stopped.outcome.decision === 'deny')
        return [
          {
            step: { ...step, end: 'refused' as const },
            ...this.#world.states.reached(stopped.session, live),
            results: [stopped],
          },
        ]
      return this.#finishes(state, live, stopped.session, step, [stopped])
    })
  }

  #finishes(
    state: SystemState,
    live: LiveAgent,
    session: Session,
    step: SystemStep,
    results: readonly EvaluationResult[],
  ): readonly StateTransition[] {
    return possibleCallEndings(this.#world.view, live.call, { asked: this.#asksStatus }).flatMap(({ kind, status }) => {
      const ended = toCallEndEvent(live.call, kind, status)
      const { told, captures } = this.#hearing(ended)
      if (!told && state.session.waiting.length === 0)
        return [{ step: { ...step, end: status }, ...this.#world.states.reached(withoutSpawns(session)), results }]
      const answers = results.length > 0 ? [step.answer] : captures ? this.#world.outputs : [undefined]
      return answers.map(answer => {
        const result = this.#world.ask(ended, session, answerFacts(answer))
        return {
          step: { ...step, end: status, ...(answer !== undefined && { answer }) },
          ...this.#world.states.reached(withoutSpawns(result.session)),
          results: [...results, result],
        }
      })
    })
  }
}
