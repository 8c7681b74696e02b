import type { Gate, Program, SinceCondition } from '../../../engine/index.ts'
import { fieldText, isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { atomsOfGate, isClosedByPrompt, rulesOf, templatesOf } from './condition-atoms.ts'

type CounterUnit = SinceCondition['unit']

/** The parts of a gate's memory that conditions read, and the largest count that matters for each counter. */
export interface GateStateAbstraction {
  readonly caps: Readonly<Record<SinceCondition['mark'], Readonly<Record<CounterUnit, number>>>>
  /** the thresholds of all conditions, in ascending order */
  readonly thresholds: Readonly<Record<SinceCondition['mark'], Readonly<Record<CounterUnit, readonly number[]>>>>
  readonly isClosedByPrompt: boolean
  /** captured fields that conditions read */
  readonly fields: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

export function gateStateAbstractionOf(gate: Gate, names: readonly string[]): GateStateAbstraction {
  const asked = atomsOfGate(gate).flatMap(atom => (atom.key === 'since' ? atom.counters : []))
  const countsOf = (mark: SinceCondition['mark'], unit: CounterUnit): readonly number[] =>
    asked
      .flatMap(counter => (counter.mark === mark && counter.unit === unit ? Math.max(1, counter.atLeast) : []))
      .sort((a, b) => a - b)
  const unitsOf = <T>(make: (unit: CounterUnit) => T): Record<CounterUnit, T> => ({
    ...{ turns: make('turns'), seconds: make('seconds'), operations: make('operations') },
  })
  const marksOf = <T>(make: (mark: SinceCondition['mark'], unit: CounterUnit) => T) => ({
    opened: unitsOf(unit => make('opened', unit)),
    closed: unitsOf(unit => make('closed', unit)),
    changed: unitsOf(unit => make('changed', unit)),
  })
  return {
    caps: marksOf((mark, unit) => Math.max(0, ...countsOf(mark, unit))),
    thresholds: marksOf(countsOf),
    isClosedByPrompt: isClosedByPrompt(gate),
    fields: capturedFieldsRead(gate, names),
    limits: Object.fromEntries(
      rulesOf(gate).flatMap(rule => (rule.limit === undefined ? [] : [[rule.id, rule.limit]])),
    ),
  }
}

/** Counter abstraction: thresholds passed, and the distance to the next up to `REGION_WIDTH`. No single step counts further. */
export function counterRegionOf(count: number, asked: readonly number[]): string {
  const passed = asked.findLastIndex(one => one <= count) + 1
  const next = asked[passed]
  return next === undefined ? `${passed}` : `${passed}-${Math.min(REGION_WIDTH, next - count)}`
}

const REGION_WIDTH = 6

/** Captured fields that conditions test or templates use, under every name they can have. */
export const referencedCaptures = (program: Program): readonly string[] => [
  ...program.gates
    .flatMap(atomsOfGate)
    .flatMap(atom => (atom.key === 'captured' ? atom.fields.map(field => field.field) : [])),
  ...capturesInTemplates(program),
]

/** Captured fields that templates use. */
export const capturesInTemplates = ({ gates }: Program): readonly string[] =>
  gates.flatMap(gate => {
    const suggested = rulesOf(gate).map(rule => JSON.stringify(rule.suggest ?? ''))
    const texts = [...atomsOfGate(gate).flatMap(templatesOf), ...suggested]
    const filled = texts.flatMap(text => [...text.matchAll(/\{([^{}"]+)\}/g)].map(([, name = '']) => name))
    return [...filled, ...filled.map(name => `${gate.layer}/${name}`), ...filled.map(name => `${gate.id}.${name}`)]
  })

/** Fields of this gate's captures that the program reads. */
function capturedFieldsRead(gate: Gate, names: readonly string[]): readonly string[] {
  const own = names.filter(name => name.startsWith(`${gate.id}.`)).map(name => name.slice(gate.id.length + 1))
  return [...new Set(own)].sort()
}

/** Keeps only these fields, under their top-level names, because a new capture replaces the whole value of its name. */
export function pruneCapture(captured: JsonObject, fields: readonly string[]): JsonObject {
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(captured)) {
    const own = fields.filter(field => field === name || field.startsWith(`${name}.`))
    const isWithinAnother = own.some(field => own.some(other => field.startsWith(`${other}.`)))
    if (isWithinAnother || own.includes(name)) result[name] = value
    else
      for (const field of own) {
        const text = fieldText(captured, field)
        if (text !== undefined) result[name] = setText(result[name], field.split('.').slice(1), text)
      }
  }
  return result
}

function setText(base: Json | undefined, [head = '', ...rest]: readonly string[], text: string): JsonObject {
  const parts = isObject(base) ? base : {}
  return { ...parts, [head]: rest.length > 0 ? setText(parts[head], rest, text) : text }
}
