import type { Gate } from '../../engine/index.ts'
import type { GateExport, Policy } from '../policy.ts'
import { attemptCompile } from './attempt.ts'
import type { CompileInput } from './context.ts'
import { collectGateReferences } from './gate-references.ts'
import { applyAdjustments } from './gates/adjustments.ts'
import { type CompiledLayer, judgeExamples } from './gates/examples.ts'
import type { GateDraft } from './gates/overrides.ts'
import { mergeRouting } from './gates/routing.ts'
import { mergeWorkflows } from './gates/workflow.ts'
import { compileLayer } from './layer.ts'
import { textsPerScope } from './per-scope-texts.ts'
import { asTrusted, type PreparedLayer } from './prepare-layer.ts'
import { disabledGateIds, enabledGatesOf } from './resolve-disabled-gates.ts'
import { mergeSettings } from './settings.ts'
import { fileFactsFor } from './values/file-states.ts'
import { warnOfUnusedState } from './warnings/unused-state.ts'

export interface AssembledProgram {
  readonly program: Policy
  readonly exports: readonly GateExport[]
}

/** Assembles all layers, strongest first, into one program. Errors go to the notes of their layer. */
export function assembleProgram(
  found: readonly PreparedLayer[],
  given: CompileInput,
  isTrusted: (layer: PreparedLayer) => boolean,
): AssembledProgram {
  const layers = found.map(layer => asTrusted(layer, isTrusted(layer)))
  const input = extendSets(given, {
    policy: layers.flatMap(layer => layer.sources),
    'trusted-scripts': layers.filter(isTrusted).flatMap(layer => layer.scripts),
  })
  const names = collectGateReferences(layers, input)
  const parts = layers.flatMap(layer =>
    attemptCompile(layer, input, [], () => [{ layer, part: compileLayer(layer, input, names, isTrusted(layer)) }]),
  )
  const drafts = parts.flatMap(({ part }) => part.drafts)
  // the strongest layer adjusts last, so it wins
  const adjusted = parts.reduceRight<readonly GateDraft[]>(
    (all, { layer, part }) => attemptCompile(layer, input, all, () => applyAdjustments(part.context, layer.doc, all)),
    drafts,
  )
  const off = disabledGateIds(adjusted)
  const program = { ...buildProgram(enabledGatesOf(adjusted), parts), ...(off.length > 0 && { off }) }
  for (const { layer, part } of parts) attemptCompile(layer, input, undefined, () => judgeExamples(part, program))
  const exports = parts.flatMap(({ part }) => part.exports)
  const watchers = { gates: drafts.map(draft => draft.gate), exports }
  for (const { layer, part } of parts)
    attemptCompile(layer, input, undefined, () => warnOfUnusedState(part.context, layer.units, watchers))
  return { program, exports }
}

/** Adds the files of the layers, and the scripts they are trusted to run, to the protected sets. */
const extendSets = (input: CompileInput, more: CompileInput['sets']): CompileInput => {
  const grown = Object.entries(more).map(([name, files]) => [name, [...(input.sets[name] ?? []), ...files]])
  return { ...input, sets: { ...input.sets, ...Object.fromEntries(grown) } }
}

function buildProgram(
  gates: readonly Gate[],
  layers: readonly { readonly layer: PreparedLayer; readonly part: CompiledLayer }[],
): Policy {
  const parts = layers.map(({ part }) => part)
  const routing = mergeRouting(layers.map(({ layer }) => layer.doc?.routing))
  return {
    hash: '',
    gates,
    allow: parts.flatMap(part => part.allow),
    hooks: parts.flatMap(part => part.hooks),
    env: [...new Set(layers.flatMap(({ layer }) => [...layer.notes.env]))].sort(),
    settings: mergeSettings(parts.map(part => part.settings)),
    notices: [],
    ...fileFactsFor(gates),
    ...(routing && { routing }),
    ...mergeWorkflows(parts.map(part => part.workflows)),
    ...textsPerScope(
      layers.map(({ layer, part }) => ({
        layer: layer.version.layer,
        settings: part.settings,
        routing: layer.doc?.routing,
        workflows: part.workflows,
      })),
    ),
  }
}
