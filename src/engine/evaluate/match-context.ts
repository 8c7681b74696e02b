import { fieldText } from '../../lib/json.ts'
import { fillTemplate } from '../../lib/template.ts'
import type { Regex } from '../match/text.ts'
import type { Action } from '../model/action.ts'
import type { Event } from '../model/event.ts'
import type { Facts } from '../model/facts.ts'
import type { Gate, Program } from '../model/gate.ts'
import type { GateVariables } from '../model/session.ts'
import type { GateState } from '../model/vocabulary.ts'

/** What a condition is matched against besides the action: event, facts, and the gates at this point of the evaluation. */
export interface MatchContext {
  readonly event: Event
  readonly program: Program
  readonly facts: Facts
  readonly regex: Regex
  readonly turn: number
  /** variables of the gate that the condition belongs to */
  readonly own?: GateVariables
  state(gate: string): GateState | undefined
  /** `layer/gate.name.field` as text */
  captured(path: string): string | undefined
  /** fills a value that is a template */
  fill(value: string): string
}

export type EventContext = Pick<MatchContext, 'event' | 'program' | 'facts' | 'regex' | 'turn'>

/** The match context for a condition of this gate. `memoryOf` supplies the variables of each gate. */
export function matchContextOf(gate: Gate, world: EventContext, memoryOf: (gate: Gate) => GateVariables): MatchContext {
  const captured = (path: string): string | undefined => {
    const found = world.program.gates.find(one => path.startsWith(`${one.id}.`))
    if (!found) return undefined
    return fieldText(memoryOf(found).captured, path.slice(found.id.length + 1))
  }
  const state = (id: string): GateState | undefined => {
    const found = world.program.gates.find(one => one.id === id)
    return found && memoryOf(found).state
  }
  const filled = (value: string): string =>
    value.includes('{') ? fillTemplate(value, name => captured(name) ?? captured(`${gate.layer}/${name}`) ?? '') : value
  const { event, program, facts, regex, turn } = world
  return { event, program, facts, regex, turn, own: memoryOf(gate), state, captured, fill: filled }
}

const ONE_EMPTY_ACT: readonly Action[] = [{ action: 'other' }]

/** An event without actions gets one empty action. */
export const actionsOf = ({ call }: Event): readonly Action[] =>
  call && call.acts.length > 0 ? call.acts : ONE_EMPTY_ACT
