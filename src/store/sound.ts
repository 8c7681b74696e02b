import type { GateMemory, Session } from '../core/index.ts'
import { isObject } from '../pattern/index.ts'

/** What is stored may have been damaged: a value that is not what it should be is never worked with. */
export function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isSession = (value: unknown): value is Omit<Session, 'shared'> =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.root === 'string' &&
  typeof value.turn === 'number' &&
  isGates(value.gates) &&
  Array.isArray(value.waiting) &&
  Array.isArray(value.queue) &&
  isObject(value.denials)

export const isGates = (value: unknown): value is { [id: string]: GateMemory } =>
  isObject(value) &&
  Object.values(value).every(
    gate => isObject(gate) && (gate.state === 'open' || gate.state === 'closed') && isObject(gate.changed),
  )
