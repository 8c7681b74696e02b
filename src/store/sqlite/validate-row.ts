import type { GateVariables, Session } from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'

/** Parses stored JSON, which may be damaged. Returns undefined for invalid JSON. */
export function parseJsonOrUndefined(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isStoredSession = (value: unknown): value is Omit<Session, 'shared'> =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.root === 'string' &&
  typeof value.turn === 'number' &&
  isGateStates(value.gates) &&
  Array.isArray(value.waiting) &&
  Array.isArray(value.queue) &&
  isObject(value.denials)

export const isGateStates = (value: unknown): value is { [id: string]: GateVariables } =>
  isObject(value) &&
  Object.values(value).every(
    gate => isObject(gate) && (gate.state === 'open' || gate.state === 'closed') && isObject(gate.changed),
  )
