import { isObject, type JsonObject } from '../../pattern/index.ts'
import type { GateDoc } from '../schema/gate.ts'
import { attempt } from './attempt.ts'
import type { CompileInput, GateName } from './context.ts'
import type { Prepared } from './prepare.ts'
import { readSchema } from './transition.ts'

/** Every gate of every layer, strongest first, as conditions and texts may name it. */
export function gateNames(layers: readonly Prepared[], input: CompileInput): readonly GateName[] {
  return layers.flatMap(layer => attempt(layer, input, [], () => namesIn(layer)))
}

function namesIn({ units, version }: Prepared): readonly GateName[] {
  return units.flatMap(unit => {
    const gates: [string, GateDoc][] = Object.entries(unit.parts.gates ?? {})
    if (unit.parts.routes) gates.push(['routes', {}])
    return gates.map(([name, doc]) => ({
      name,
      id: `${unit.prefix}/${name}`,
      layer: unit.layer,
      stateful: doc.initial !== undefined,
      bypassedBy: Object.keys({ ...doc.bypass?.env, ...unit.pack?.common.bypass?.env }),
      countdown: countdownOf(doc),
      captures: capturesOf(doc, json => readSchema(json, unit.folder, version.files)),
    }))
  })
}

function countdownOf({ transitions = [] }: GateDoc): string | undefined {
  const conditions = transitions.flatMap(({ when }) => [when, ...(when.all ?? [])])
  const found = conditions.flatMap(({ since = {} }) =>
    Object.entries(since).flatMap(([mark, counters]) =>
      Object.entries(counters).map(([unit, atLeast]) => `${unit}.${mark}.${atLeast}`),
    ),
  )
  return found[0]
}

function capturesOf(doc: GateDoc, read: (json: unknown) => JsonObject | null): ReadonlyMap<string, JsonObject | null> {
  const captures = (doc.transitions ?? []).flatMap(one => Object.entries(one.capture ?? {}))
  return new Map(captures.map(([name, { json }]) => [name, isObject(json) ? json : read(json)]))
}
