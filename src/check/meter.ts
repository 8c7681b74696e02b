import type { Gate, Program } from '../core/index.ts'
import { fieldText, isObject, type Json, type JsonObject, type Since } from '../pattern/index.ts'
import { atomsOfGate, closesByPrompt, rulesOf, templatesOf } from './atom.ts'

type Unit = Since['unit']

/** What of a gate's memory anybody looks at, and how far its counters matter. */
export interface Meter {
  readonly caps: Readonly<Record<Since['mark'], Readonly<Record<Unit, number>>>>
  /** the counts that are asked for, in order */
  readonly counts: Readonly<Record<Since['mark'], Readonly<Record<Unit, readonly number[]>>>>
  readonly keepsClosed: boolean
  /** of its captures */
  readonly fields: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

export function meterOf(gate: Gate, names: readonly string[]): Meter {
  const asked = atomsOfGate(gate).flatMap(atom => (atom.key === 'since' ? atom.counters : []))
  const countsOf = (mark: Since['mark'], unit: Unit): readonly number[] =>
    asked.flatMap(one => (one.mark === mark && one.unit === unit ? Math.max(1, one.atLeast) : [])).sort((a, b) => a - b)
  const unitsOf = <T>(make: (unit: Unit) => T): Record<Unit, T> => ({
    ...{ turns: make('turns'), seconds: make('seconds'), operations: make('operations') },
  })
  const marksOf = <T>(make: (mark: Since['mark'], unit: Unit) => T) => ({
    opened: unitsOf(unit => make('opened', unit)),
    closed: unitsOf(unit => make('closed', unit)),
    changed: unitsOf(unit => make('changed', unit)),
  })
  return {
    caps: marksOf((mark, unit) => Math.max(0, ...countsOf(mark, unit))),
    counts: marksOf(countsOf),
    keepsClosed: closesByPrompt(gate),
    fields: readFields(gate, names),
    limits: Object.fromEntries(
      rulesOf(gate).flatMap(rule => (rule.limit === undefined ? [] : [[rule.id, rule.limit]])),
    ),
  }
}

/** Where a count is among those that are asked for; near one, how near. Nothing that happens in one step counts more than that. */
export function rankOf(count: number, asked: readonly number[]): string {
  const passed = asked.findLastIndex(one => one <= count) + 1
  const next = asked[passed]
  return next === undefined ? `${passed}` : `${passed}-${Math.min(NEAR, next - count)}`
}

const NEAR = 6

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

/** Only these fields of it, each where it was: what is captured again takes the place of all that was there. */
export function pruned(captured: JsonObject, fields: readonly string[]): JsonObject {
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(captured)) {
    const own = fields.filter(field => field === name || field.startsWith(`${name}.`))
    const isWithinAnother = own.some(field => own.some(other => field.startsWith(`${other}.`)))
    if (isWithinAnother || own.includes(name)) result[name] = value
    else
      for (const field of own) {
        const text = fieldText(captured, field)
        if (text !== undefined) result[name] = withText(result[name], field.split('.').slice(1), text)
      }
  }
  return result
}

function withText(base: Json | undefined, [head = '', ...rest]: readonly string[], text: string): JsonObject {
  const parts = isObject(base) ? base : {}
  return { ...parts, [head]: rest.length > 0 ? withText(parts[head], rest, text) : text }
}
