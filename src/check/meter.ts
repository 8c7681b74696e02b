import type { Gate, Program } from '../core/index.ts'
import { fieldText, type JsonObject, type Since } from '../pattern/index.ts'
import { atomsOfGate, closesByPrompt, rulesOf, templatesOf } from './atom.ts'

type Unit = Since['unit']

/** What of a gate's memory anybody looks at, and how far its counters matter. */
export interface Meter {
  readonly caps: Readonly<Record<Since['mark'], Readonly<Record<Unit, number>>>>
  readonly keepsClosed: boolean
  /** of its captures */
  readonly fields: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

export function meterOf(gate: Gate, names: readonly string[]): Meter {
  const caps = { opened: none(), closed: none(), changed: none() }
  for (const atom of atomsOfGate(gate))
    if (atom.key === 'since')
      for (const { mark, unit, atLeast } of atom.counters) caps[mark][unit] = Math.max(caps[mark][unit], atLeast, 1)
  return {
    caps,
    keepsClosed: closesByPrompt(gate),
    fields: readFields(gate, names),
    limits: Object.fromEntries(
      rulesOf(gate).flatMap(rule => (rule.limit === undefined ? [] : [[rule.id, rule.limit]])),
    ),
  }
}

const none = (): Record<Unit, number> => ({ turns: 0, seconds: 0, operations: 0 })

/** What is asked of captures, or filled in from them, by whatever name. */
export const namesIn = (program: Program): readonly string[] => [
  ...program.gates
    .flatMap(atomsOfGate)
    .flatMap(atom => (atom.key === 'captured' ? atom.fields.map(field => field.field) : [])),
  ...filledIn(program),
]

/** What is filled in from captures. */
export const filledIn = ({ gates }: Program): readonly string[] =>
  gates.flatMap(one => {
    const suggested = rulesOf(one).map(rule => JSON.stringify(rule.suggest ?? ''))
    const texts = [...atomsOfGate(one).flatMap(templatesOf), ...suggested]
    const filled = texts.flatMap(text => [...text.matchAll(/\{([^{}"]+)\}/g)].map(([, name = '']) => name))
    return [...filled, ...filled.map(name => `${one.layer}/${name}`), ...filled.map(name => `${one.id}.${name}`)]
  })

/** Fields of what this gate captured that anything asks for. */
function readFields(gate: Gate, names: readonly string[]): readonly string[] {
  const own = names.filter(name => name.startsWith(`${gate.id}.`)).map(name => name.slice(gate.id.length + 1))
  return [...new Set(own)].sort()
}

/** Only these fields of it. */
export function pruned(captured: JsonObject, fields: readonly string[]): JsonObject {
  const result: JsonObject = {}
  for (const field of fields) {
    const value = fieldText(captured, field)
    if (value !== undefined) result[field] = value
  }
  return result
}
