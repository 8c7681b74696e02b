import { fieldText, fill, type GateState, type Regex } from '../pattern/index.ts'
import type { Act } from './act.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Gate, Program } from './gate.ts'
import type { GateMemory } from './session.ts'

/** What a condition may look at besides the act: the world, and the gates as they are at this point of the walk. */
export interface Scene {
  readonly event: Event
  readonly program: Program
  readonly facts: Facts
  readonly regex: Regex
  readonly turn: number
  /** of the gate whose condition this is */
  readonly own?: GateMemory
  state(gate: string): GateState | undefined
  /** `layer/gate.name.field` as text */
  captured(path: string): string | undefined
  /** fills a value that is a template */
  fill(value: string): string
}

export type World = Pick<Scene, 'event' | 'program' | 'facts' | 'regex' | 'turn'>

/** The world as a condition of this gate sees it, the gates remembered as `memoryOf` tells. */
export function sceneOf(gate: Gate, world: World, memoryOf: (gate: Gate) => GateMemory): Scene {
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
    value.includes('{') ? fill(value, name => captured(name) ?? captured(`${gate.layer}/${name}`) ?? '') : value
  const { event, program, facts, regex, turn } = world
  return { event, program, facts, regex, turn, own: memoryOf(gate), state, captured, fill: filled }
}

const ONE_EMPTY_ACT: readonly Act[] = [{ action: 'other' }]

/** An event without a call has one empty act. */
export const actsOf = ({ call }: Event): readonly Act[] => (call && call.acts.length > 0 ? call.acts : ONE_EMPTY_ACT)
