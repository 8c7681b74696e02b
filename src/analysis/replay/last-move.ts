import type { Event, Gate, GateState } from '../../engine/index.ts'
import { type PlayedEvent, type Simulator, triggeredTransitions } from '../simulator/index.ts'
import { redactedCaller, redactedEventText } from './redacted-text.ts'

/** The last move of a gate. */
export interface LastMove {
  readonly at: number
  readonly to: GateState
  readonly transition: string
  /** caller and event, or `the clock` */
  readonly by: string
}

/** Tracks last moves, used only if one event is requested. Project gates are shared by all sessions of a project. */
export class LastMoveTracker {
  private readonly shared = new Map<string, LastMove>()

  /** `own`: the last moves of this session. */
  note(own: Map<string, LastMove>, played: PlayedEvent): void {
    const { event, program, facts } = played.input
    for (const text of triggeredTransitions(played)) {
      const gate = program.gates.find(({ id }) => text.startsWith(`${id}/`))
      const transition = gate?.transitions.find(({ id }) => text === `${gate.id}/${id}`)
      if (!gate || !transition) continue
      const by = transition.clock ? 'the clock' : `${redactedCaller(event)}, ${redactedEventText(event)}`
      const moved = { at: facts.now, to: transition.to, transition: transition.id, by }
      if (gate.scope === 'project') this.shared.set(`${facts.root} ${gate.id}`, moved)
      else own.set(gateStateKey(gate, event), moved)
    }
  }

  /** The last moves by gate id, as they apply to the event's caller. */
  seenBy(
    event: Event,
    { program, root }: Simulator,
    own: ReadonlyMap<string, LastMove>,
  ): ReadonlyMap<string, LastMove> {
    const found = program.gates.flatMap((gate): (readonly [string, LastMove])[] => {
      const moved =
        gate.scope === 'project' ? this.shared.get(`${root} ${gate.id}`) : own.get(gateStateKey(gate, event))
      return moved ? [[gate.id, moved]] : []
    })
    return new Map(found)
  }
}

const gateStateKey = ({ id, scope }: Gate, { caller }: Event): string =>
  scope !== 'agent' ? id : `${id}@${caller.kind === 'agent' ? caller.id : caller.kind}`
