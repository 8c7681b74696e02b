import { readCache, refOf, writeCache } from './cache.ts'
import type { CompileInput, Inactive } from './compile/context.ts'
import { DEFAULTS } from './compile/settings.ts'
import type { compilePolicy, hashOf } from './compiler.ts'
import { keepLastGood, readLastGood } from './last-good.ts'
import { findLayers, type LayerFile, type Where } from './layers.ts'
import type { Export, Policy } from './policy.ts'
import { writePosture } from './posture.ts'
import type { PolicyError } from './problem.ts'
import type { LayerReport } from './report.ts'
import { readTrust, type Trust, trustOf } from './trust.ts'

export interface PolicyInput extends CompileInput, Where {
  readonly stateDir: string
  /** of Signalbox, and of the clients it serves: another one compiles anew */
  readonly version: string
  /** false: nothing is stored, for who only looks */
  readonly stores?: boolean
}

export interface LoadedPolicy {
  readonly program: Policy
  /** strongest first */
  readonly layers: readonly LayerReport[]
  /** what keeps a layer, as it is now, or a route of it from being enforced */
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  /** routes of built-in packs that need a program which is not there */
  readonly inactive: readonly Inactive[]
  readonly exports: readonly Export[]
  readonly fromCache: boolean
}

/** The module `compiler.ts`, or what stands in for it. */
export interface Compiler {
  readonly compilePolicy: typeof compilePolicy
  readonly hashOf: typeof hashOf
}

const EMPTY: Policy = {
  hash: 'none',
  gates: [],
  allow: [],
  hooks: [],
  env: [],
  settings: DEFAULTS,
  notices: [],
}

/** The policy in force here. `compiler` is asked for only when nothing compiled is at hand: it loads YAML and schemas. */
export function loadPolicy(input: PolicyInput, compiler: () => Compiler): LoadedPolicy {
  const { files, warnings } = findLayers(input)
  const loaded = files.length === 0 ? NOTHING : enforce(input, files, compiler)
  if (input.stores !== false) writePosture(input.stateDir, input.root, loaded.program, loaded.exports)
  return warnings.length === 0 ? loaded : { ...loaded, warnings: [...warnings, ...loaded.warnings] }
}

const NOTHING: LoadedPolicy = {
  ...{ program: EMPTY, layers: [], problems: [], warnings: [], inactive: [], exports: [] },
  fromCache: false,
}

function enforce(input: PolicyInput, files: readonly LayerFile[], compiler: () => Compiler): LoadedPolicy {
  const trust = readTrust(input.stateDir)
  const key = keyOf(input, files, trust)
  const cached = readCache(input.stateDir, key, input)
  if (cached) return { ...loadedOf(cached), fromCache: true }
  const began = Date.now()
  const { compilePolicy, hashOf } = compiler()
  const compiled = compilePolicy({
    input,
    layers: files,
    trusted: file => trustOf(trust, file),
    lastGood: file => readLastGood(input.stateDir, file),
  })
  const { commands, variables } = compiled
  const loaded = loadedOf({ ...compiled, program: { ...compiled.program, hash: hashOf(key, compiled) } })
  if (input.stores === false) return { ...loaded, fromCache: false }
  for (const good of compiled.good) keepLastGood(input.stateDir, { ...good, savedAt: Date.now() })
  const refs = [...compiled.files].map(([file, text]) => refOf(file, text, began))
  writeCache(input.stateDir, { key, ...loaded, refs, commands, variables })
  return { ...loaded, fromCache: false }
}

type Loaded = Omit<LoadedPolicy, 'fromCache'>

const loadedOf = ({ program, layers, problems, warnings, inactive, exports }: Loaded): Loaded => {
  return { program, layers, problems, warnings, inactive, exports }
}

/** Everything a compilation depends on that is at hand without compiling; the rest are the cached refs. */
function keyOf(input: PolicyInput, files: readonly LayerFile[], trust: Trust): string {
  const layers = files.map(({ layer, file, text }) => [layer, file, text, trustOf(trust, file) ?? null])
  const { version, root, home, packsDir, sets } = input
  return JSON.stringify([version, root, home, packsDir, sets, layers])
}
