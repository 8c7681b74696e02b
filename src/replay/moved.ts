import type { Event, Gate, Input, Result, Tools } from '../core/index.ts'
import type { GateState } from '../pattern/index.ts'
import { movesIn } from '../trial/index.ts'
import { callerOf, whatOf } from './said-of.ts'

/** What moved a gate last. */
export interface Moved {
  readonly at: number
  readonly to: GateState
  readonly transition: string
  /** who did what; of the clock nobody */
  readonly by: string
}

interface Played {
  readonly at: number
  readonly input: Input
  readonly tools: Tools
  readonly result: Result
}

/** Kept only where one event is asked for: gates of a project are moved by every session of it. */
export class Moves {
  private readonly shared = new Map<string, Moved>()

  /** `own`: of this session. */
  note(own: Map<string, Moved>, { at, input, tools, result }: Played): void {
    if (result.record.moves.length === 0) return
    const { event, program } = input
    for (const one of movesIn(input, tools, result)) {
      const gate = program.gates.find(({ id }) => one.startsWith(`${id}/`))
      const transition = gate?.transitions.find(({ id }) => one === `${gate.id}/${id}`)
      if (!gate || !transition) continue
      const by = transition.clock ? 'the clock' : `${callerOf(event)}, ${whatOf(event)}`
      const moved = { at, to: transition.to, transition: transition.id, by }
      if (gate.scope === 'project') this.shared.set(`${input.facts.root} ${gate.id}`, moved)
      else own.set(keyOf(gate, event), moved)
    }
  }

  /** By gate, as whoever calls finds them. */
  seenBy({ event, program, facts }: Input, own: ReadonlyMap<string, Moved>): ReadonlyMap<string, Moved> {
    const found = program.gates.flatMap((gate): (readonly [string, Moved])[] => {
      const moved = gate.scope === 'project' ? this.shared.get(`${facts.root} ${gate.id}`) : own.get(keyOf(gate, event))
      return moved ? [[gate.id, moved]] : []
    })
    return new Map(found)
  }
}

const keyOf = ({ id, scope }: Gate, { caller }: Event): string =>
  scope !== 'agent' ? id : `${id}@${caller.kind === 'agent' ? caller.id : caller.kind}`
