import { type Cached, forgetCompiled, type Ref, readCache, refOf, writeCache } from './cache.ts'
import type { CompileInput, Inactive } from './compile/context.ts'
import { DEFAULTS } from './compile/settings.ts'
import { clearCompileMark, markCompileStart } from './compile-marker.ts'
import type { compilePolicy, hashOf } from './compiler.ts'
import { keepLastGood, type Recalled, readLastGood } from './last-good.ts'
import { findLayers, type LayerFile, type Where } from './layers.ts'
import { isLimited } from './limits.ts'
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
  /** the process that asks is ended when it takes too long */
  readonly isTimed?: boolean
  /** in place of what people have trusted, for who asks what would be then */
  readonly trust?: Trust
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

/** All that has to be as it was for a loaded policy to be the one in force. */
export interface Basis extends Pick<Cached, 'key' | 'refs' | 'commands' | 'variables'> {
  /** false: something odd was seen that only loading sees again */
  readonly lasts: boolean
}

export interface Based {
  readonly loaded: LoadedPolicy
  readonly basis: Basis
}

/** The policy in force here. `compiler` is asked for only when nothing compiled is at hand: it loads YAML and schemas. */
export const loadPolicy = (input: PolicyInput, compiler: () => Compiler): LoadedPolicy =>
  loadWithBasis(input, compiler).loaded

export function loadWithBasis(input: PolicyInput, compiler: () => Compiler): Based {
  const began = Date.now()
  const { files, warnings, absent } = findLayers(input)
  const { loaded, basis } = files.length === 0 ? NOTHING : enforce(input, files, compiler, began)
  const posture =
    input.stores === false ? undefined : writePosture(input.stateDir, input.root, loaded.program, loaded.exports)
  const looked: readonly Ref[] = [
    ...files.map(({ file, text }) => refOf(file, text, began)),
    ...absent.map((file): Ref => [file, null]),
    ...(posture ? [refOf(posture.file, posture.text, began)] : []),
  ]
  return {
    loaded: warnings.length === 0 ? loaded : { ...loaded, warnings: [...warnings, ...loaded.warnings] },
    basis: { ...basis, refs: [...looked, ...basis.refs], lasts: warnings.length === 0 && posture !== undefined },
  }
}

type Enforced = { readonly loaded: LoadedPolicy; readonly basis: Omit<Basis, 'lasts'> }

const NOTHING: Enforced = {
  loaded: { program: EMPTY, layers: [], problems: [], warnings: [], inactive: [], exports: [], fromCache: false },
  basis: { key: '', refs: [], commands: {}, variables: {} },
}

function enforce(input: PolicyInput, files: readonly LayerFile[], compiler: () => Compiler, began: number): Enforced {
  const { trust: given, ...trusted } = readTrust(input.stateDir)
  const trust = input.trust ?? given
  const key = keyOf(input, files, trust)
  const trustRef = refOf(trusted.file, trusted.text, began)
  const cached = readCache(input.stateDir, key, input)
  if (cached)
    return {
      loaded: { ...loadedOf(cached), fromCache: true },
      basis: { ...cached, refs: [trustRef, ...cached.refs] },
    }
  const { compilePolicy, hashOf } = compiler()
  const recalled: Recalled[] = []
  const tracked = input.isTimed === true && files.some(({ layer }) => isLimited(layer))
  const isTooSlow = tracked && markCompileStart(input.stateDir, key)
  const compiled = compilePolicy({
    input: isTooSlow ? { ...input, onOverLimit: 'leave out' } : input,
    layers: files,
    trusted: file => trustOf(trust, file),
    lastGood: file => {
      const found = readLastGood(input.stateDir, file)
      recalled.push(found)
      return found.kept
    },
  })
  const { commands, variables } = compiled
  const loaded = loadedOf({ ...compiled, program: { ...compiled.program, hash: hashOf(key, compiled, recalled) } })
  // what a broken file falls back on may be another version the next time that it breaks
  const looked = [...compiled.files, ...recalled.map(({ at, text }) => [at, text] as const)]
  const refs = looked.map(([file, text]) => refOf(file, text, began))
  if (tracked && !isTooSlow) clearCompileMark(input.stateDir, key)
  if (input.stores !== false && !isTooSlow) {
    for (const good of compiled.good)
      if (keepLastGood(input.stateDir, { ...good, savedAt: Date.now() })) forgetCompiled(input.stateDir, good.file)
    writeCache(input.stateDir, { key, ...loaded, refs, commands, variables })
  }
  return {
    loaded: { ...loaded, fromCache: false },
    basis: { key, refs: [trustRef, ...refs], commands, variables },
  }
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
