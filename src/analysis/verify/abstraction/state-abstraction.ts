import type { Gate, Program, SinceCondition } from '../../../engine/index.ts'
import { fieldText, isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { atomsOfGate, isClosedByPrompt, rulesOf, templatesOf } from './condition-atoms.ts'

type CounterUnit = SinceCondition['unit']

/** What of a gate's memory anybody looks at, and how far its counters matter. */
export interface GateStateAbstraction {
  readonly caps: Readonly<Record<SinceCondition['mark'], Readonly<Record<CounterUnit, number>>>>
  /** the counts that are asked for, in order */
  readonly counts: Readonly<Record<SinceCondition['mark'], Readonly<Record<CounterUnit, readonly number[]>>>>
  readonly keepsClosed: boolean
  /** of its captures */
  readonly fields: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

export function gateStateAbstractionOf(gate: Gate, names: readonly string[]): GateStateAbstraction {
  const asked = atomsOfGate(gate).flatMap(atom => (atom.key === 'since' ? atom.counters : []))
  const countsOf = (mark: SinceCondition['mark'], unit: CounterUnit): readonly number[] =>
    asked.flatMap(one => (one.mark === mark && one.unit === unit ? Math.max(1, one.atLeast) : [])).sort((a, b) => a - b)
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
    counts: marksOf(countsOf),
    keepsClosed: isClosedByPrompt(gate),
    fields: capturedFieldsRead(gate, names),
    limits: Object.fromEntries(
      rulesOf(gate).flatMap(rule => (rule.limit === undefined ? [] : [[rule.id, rule.limit]])),
    ),
  }
}

/** Where a count is among those that are asked for; near one, how near. Nothing that happens in one step counts more than that. */
export function counterRegionOf(count: number, asked: readonly number[]): string {
  const passed = asked.findLastIndex(one => one <= count) + 1
  const next = asked[passed]
  return next === undefined ? `${passed}` : `${passed}-${Math.min(REGION_WIDTH, next - count)}`
}

const REGION_WIDTH = 6

/** What is asked of captures, or filled in from them, by whatever name. */
export const referencedCaptures = (program: Program): readonly string[] => [
  ...program.gates
    .flatMap(atomsOfGate)
    .flatMap(atom => (atom.key === 'captured' ? atom.fields.map(field => field.field) : [])),
  ...templateCaptures(program),
]

/** What is filled in from captures. */
export const templateCaptures = ({ gates }: Program): readonly string[] =>
  gates.flatMap(one => {
    const suggested = rulesOf(one).map(rule => JSON.stringify(rule.suggest ?? ''))
    const texts = [...atomsOfGate(one).flatMap(templatesOf), ...suggested]
    const filled = texts.flatMap(text => [...text.matchAll(/\{([^{}"]+)\}/g)].map(([, name = '']) => name))
    return [...filled, ...filled.map(name => `${one.layer}/${name}`), ...filled.map(name => `${one.id}.${name}`)]
  })

/** Fields of what this gate captured that anything asks for. */
function capturedFieldsRead(gate: Gate, names: readonly string[]): readonly string[] {
  const own = names.filter(name => name.startsWith(`${gate.id}.`)).map(name => name.slice(gate.id.length + 1))
  return [...new Set(own)].sort()
}

/** Only these fields of it, each where it was: what is captured again takes the place of all that was there. */
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
