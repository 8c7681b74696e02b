import { isObject, type JsonObject } from '../../lib/json.ts'
import type { GateDoc } from '../schema/gate.ts'
import { attemptCompile } from './attempt.ts'
import type { CompileInput, ReferableGate } from './context.ts'
import { readCaptureSchema } from './gates/transition.ts'
import type { PreparedLayer } from './prepare-layer.ts'
import { countdownsOf } from './values/countdown.ts'

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
      countdowns: onlyOnce(() => countdownsOf(doc, unit.parts.define)),
      captures: captureSchemasOf(doc, json => readCaptureSchema(json, unit.folder, version.files)),
    }))
  })
}

function captureSchemasOf(
  doc: GateDoc,
  read: (json: unknown) => JsonObject | null,
): ReadonlyMap<string, JsonObject | null> {
  const captures = (doc.transitions ?? []).flatMap(transition => Object.entries(transition.capture ?? {}))
  return new Map(captures.map(([name, { json }]) => [name, isObject(json) ? json : read(json)]))
}

function onlyOnce<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
