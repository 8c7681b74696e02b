import type { Gate } from '../../core/index.ts'
import type { Export, Policy } from '../policy.ts'
import { applyAdjustments } from './adjust.ts'
import { attempt } from './attempt.ts'
import type { CompileInput } from './context.ts'
import { judgeExamples } from './examples.ts'
import type { Draft } from './gate.ts'
import { compileLayer, type Part } from './layer.ts'
import { gateNames } from './names.ts'
import { inForce, type Prepared } from './prepare.ts'
import { mergeRouting } from './routing.ts'
import { mergeSettings } from './settings.ts'
import { gatesOf, idsOff } from './settle.ts'
import { sidesOf } from './sides.ts'
import { warnOfUnwatched } from './unwatched.ts'
import { mergeWorkflows } from './workflow.ts'

export interface Assembled {
  readonly program: Policy
  readonly exports: readonly Export[]
}

/** All layers, strongest first, as one program. What is wrong with one goes to its own notes. */
export function assemble(
  found: readonly Prepared[],
  given: CompileInput,
  isTrusted: (layer: Prepared) => boolean,
): Assembled {
  const layers = found.map(layer => inForce(layer, isTrusted(layer)))
  const input = withSets(given, {
    policy: layers.flatMap(layer => layer.sources),
    'trusted-scripts': layers.filter(isTrusted).flatMap(layer => layer.scripts),
  })
  const names = gateNames(layers, input)
  const parts = layers.flatMap(layer =>
    attempt(layer, input, [], () => [{ layer, part: compileLayer(layer, input, names, isTrusted(layer)) }]),
  )
  const drafts = parts.flatMap(({ part }) => part.drafts)
  // the strongest has the last word
  const adjusted = parts.reduceRight<readonly Draft[]>(
    (all, { layer, part }) => attempt(layer, input, all, () => applyAdjustments(part.context, layer.doc, all)),
    drafts,
  )
  const off = idsOff(adjusted)
  const program = { ...programOf(gatesOf(adjusted), parts), ...(off.length > 0 && { off }) }
  for (const { layer, part } of parts) attempt(layer, input, undefined, () => judgeExamples(part, program))
  const exports = parts.flatMap(({ part }) => part.exports)
  const watchers = { gates: drafts.map(draft => draft.gate), exports }
  for (const { layer, part } of parts)
    attempt(layer, input, undefined, () => warnOfUnwatched(part.context, layer.units, watchers))
  return { program, exports }
}

/** What the layers are made of, and what of theirs takes effect, is protected too. */
const withSets = (input: CompileInput, more: CompileInput['sets']): CompileInput => {
  const grown = Object.entries(more).map(([name, files]) => [name, [...(input.sets[name] ?? []), ...files]])
  return { ...input, sets: { ...input.sets, ...Object.fromEntries(grown) } }
}

function programOf(
  gates: readonly Gate[],
  layers: readonly { readonly layer: Prepared; readonly part: Part }[],
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
    ...(routing && { routing }),
    ...mergeWorkflows(parts.map(part => part.workflows)),
    ...sidesOf(
      layers.map(({ layer, part }) => ({
        layer: layer.version.layer,
        settings: part.settings,
        routing: layer.doc?.routing,
        workflows: part.workflows,
      })),
    ),
  }
}
