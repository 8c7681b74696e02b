import { isObject, type JsonObject } from '../../lib/json.ts'
import type { GateDoc } from '../schema/gate.ts'
import { attemptCompile } from './attempt.ts'
import type { CompileInput, ReferableGate } from './context.ts'
import { readCaptureSchema } from './gates/transition.ts'
import type { PreparedLayer } from './prepare-layer.ts'

/** Collects every gate of every layer, strongest first, for conditions and texts that refer to gates. */
export function collectGateReferences(layers: readonly PreparedLayer[], input: CompileInput): readonly ReferableGate[] {
  return layers.flatMap(layer => attemptCompile(layer, input, [], () => gateReferencesIn(layer)))
}

function gateReferencesIn({ units, version }: PreparedLayer): readonly ReferableGate[] {
  return units.flatMap(unit => {
    const gates: [string, GateDoc][] = Object.entries(unit.parts.gates ?? {})
    if (unit.parts.routes) gates.push(['routes', {}])
    return gates.map(([name, doc]) => ({
      name,
      id: `${unit.prefix}/${name}`,
      layer: unit.layer,
      stateful: doc.initial !== undefined,
      bypassedBy: Object.keys({ ...doc.bypass?.env, ...unit.pack?.common.bypass?.env }),
      countdown: countdownVariableOf(doc),
      captures: captureSchemasOf(doc, json => readCaptureSchema(json, unit.folder, version.files)),
    }))
  })
}

function countdownVariableOf({ transitions = [] }: GateDoc): string | undefined {
  const conditions = transitions.flatMap(({ when }) => [when, ...(when.all ?? [])])
  const found = conditions.flatMap(({ since = {} }) =>
    Object.entries(since).flatMap(([mark, counters]) =>
      Object.entries(counters).map(([unit, atLeast]) => `${unit}.${mark}.${atLeast}`),
    ),
  )
  return found[0]
}

function captureSchemasOf(
  doc: GateDoc,
  read: (json: unknown) => JsonObject | null,
): ReadonlyMap<string, JsonObject | null> {
  const captures = (doc.transitions ?? []).flatMap(transition => Object.entries(transition.capture ?? {}))
  return new Map(captures.map(([name, { json }]) => [name, isObject(json) ? json : read(json)]))
}
