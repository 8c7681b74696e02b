import { join } from 'node:path'
import { readTextIfExists, writeFileAtomically } from '../lib/files.ts'
import { sha256Of } from '../lib/sha256.ts'
import { clearCompileMarker, markCompileStart } from './cache/compile-marker.ts'
import {
  type CachedPolicy,
  evictCompiled,
  type FileRef,
  fileRefOf,
  readCompiledCache,
  writeCompiledCache,
} from './cache/compiled-cache.ts'
import { type LastGoodLookup, readLastGood, writeLastGood } from './cache/last-good.ts'
import type { compilePolicy, hashPolicy } from './compile/compiler.ts'
import type { CompileInput, InactiveRoute } from './compile/context.ts'
import type { LayerReport } from './compile/layer-report.ts'
import { DEFAULT_SETTINGS } from './compile/settings.ts'
import {
  findLayers,
  isLimitedLayer,
  type LayerFile,
  type PolicyLocations,
  readTrust,
  type TrustedHashes,
  trustedHashOf,
} from './find/layers.ts'
import type { PolicyError } from './parse/policy-error.ts'
import type { FailureMode, GateExport, Policy } from './policy.ts'

export interface PolicyInput extends CompileInput, PolicyLocations {
  readonly stateDir: string
  /** version of Signalbox and of its clients; another version compiles again */
  readonly version: string
  /** false: nothing is stored, for read-only callers */
  readonly stores?: boolean
  /** the calling process is killed when loading takes too long */
  readonly isTimed?: boolean
  /** replaces the stored trust, to find out what the policy would be with it */
  readonly trust?: TrustedHashes
}

export interface LoadedPolicy {
  readonly program: Policy
  /** strongest layer first */
  readonly layers: readonly LayerReport[]
  /** reasons why the current version of a layer, or one of its routes, is not enforced */
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  /** routes of built-in packs whose required program is not installed */
  readonly inactive: readonly InactiveRoute[]
  readonly exports: readonly GateExport[]
  readonly fromCache: boolean
}

/** The module `compiler.ts`, or a replacement for it. */
interface Compiler {
  readonly compilePolicy: typeof compilePolicy
  readonly hashPolicy: typeof hashPolicy
}

const EMPTY_POLICY: Policy = {
  hash: 'none',
  gates: [],
  allow: [],
  hooks: [],
  env: [],
  settings: DEFAULT_SETTINGS,
  notices: [],
}

/** Everything that must be unchanged for a loaded policy to stay valid. */
export interface PolicyDependencies extends Pick<CachedPolicy, 'key' | 'refs' | 'commands' | 'variables'> {
  /** false: must not be kept in memory, because loading gave warnings or stored nothing */
  readonly lasts: boolean
}

export interface PolicyWithDependencies {
  readonly loaded: LoadedPolicy
  readonly basis: PolicyDependencies
}

/** Loads the policy in force. Calls `compiler` only on a cache miss, because it loads YAML and schemas. */
export const loadPolicy = (input: PolicyInput, compiler: () => Compiler): LoadedPolicy =>
  loadWithDependencies(input, compiler).loaded

export function loadWithDependencies(input: PolicyInput, compiler: () => Compiler): PolicyWithDependencies {
  const began = Date.now()
  const { files, warnings, absent } = findLayers(input)
  const { loaded, basis } = files.length === 0 ? NO_POLICY : loadLayers(input, files, compiler, began)
  const modeFile =
    input.stores === false ? undefined : writeFailureMode(input.stateDir, input.root, loaded.program, loaded.exports)
  const looked: readonly FileRef[] = [
    ...files.map(({ file, text }) => fileRefOf(file, text, began)),
    ...absent.map((file): FileRef => [file, null]),
    ...(modeFile ? [fileRefOf(modeFile.file, modeFile.text, began)] : []),
  ]
  return {
    loaded: warnings.length === 0 ? loaded : { ...loaded, warnings: [...warnings, ...loaded.warnings] },
    basis: { ...basis, refs: [...looked, ...basis.refs], lasts: warnings.length === 0 && modeFile !== undefined },
  }
}

type PolicyInForce = { readonly loaded: LoadedPolicy; readonly basis: Omit<PolicyDependencies, 'lasts'> }

const NO_POLICY: PolicyInForce = {
  loaded: {
    program: EMPTY_POLICY,
    layers: [],
    problems: [],
    warnings: [],
    inactive: [],
    exports: [],
    fromCache: false,
  },
  basis: { key: '', refs: [], commands: {}, variables: {} },
}

function loadLayers(
  input: PolicyInput,
  files: readonly LayerFile[],
  compiler: () => Compiler,
  began: number,
): PolicyInForce {
  const { trust: given, ...trusted } = readTrust(input.stateDir)
  const trust = input.trust ?? given
  const key = cacheKeyOf(input, files, trust)
  const trustRef = fileRefOf(trusted.file, trusted.text, began)
  const cached = readCompiledCache(input.stateDir, key, input)
  if (cached)
    return {
      loaded: { ...toLoadedParts(cached), fromCache: true },
      basis: { ...cached, refs: [trustRef, ...cached.refs] },
    }
  const { compilePolicy, hashPolicy: hashOf } = compiler()
  const recalled: LastGoodLookup[] = []
  const tracked = input.isTimed === true && files.some(({ layer }) => isLimitedLayer(layer))
  const isTooSlow = tracked && markCompileStart(input.stateDir, key)
  const compiled = compilePolicy({
    input: isTooSlow ? { ...input, onOverLimit: 'leave out' } : input,
    layers: files,
    trusted: file => trustedHashOf(trust, file),
    lastGood: file => {
      const found = readLastGood(input.stateDir, file)
      recalled.push(found)
      return found.layer
    },
  })
  const { commands, variables } = compiled
  const loaded = toLoadedParts({ ...compiled, program: { ...compiled.program, hash: hashOf(key, compiled, recalled) } })
  // a broken file falls back on its last good version, which may be another one the next time it breaks
  const looked = [...compiled.files, ...recalled.map(({ at, text }) => [at, text] as const)]
  const refs = looked.map(([file, text]) => fileRefOf(file, text, began))
  if (tracked && !isTooSlow) clearCompileMarker(input.stateDir, key)
  if (input.stores !== false && !isTooSlow) {
    for (const good of compiled.compiledLayers)
      if (writeLastGood(input.stateDir, { ...good, savedAt: Date.now() })) evictCompiled(input.stateDir, good.file)
    writeCompiledCache(input.stateDir, { key, ...loaded, refs, commands, variables })
  }
  return {
    loaded: { ...loaded, fromCache: false },
    basis: { key, refs: [trustRef, ...refs], commands, variables },
  }
}

type LoadedParts = Omit<LoadedPolicy, 'fromCache'>

const toLoadedParts = ({ program, layers, problems, warnings, inactive, exports }: LoadedParts): LoadedParts => {
  return { program, layers, problems, warnings, inactive, exports }
}

/** The inputs of a compilation that are known without compiling. The remaining inputs are the cached refs. */
function cacheKeyOf(input: PolicyInput, files: readonly LayerFile[], trust: TrustedHashes): string {
  const layers = files.map(({ layer, file, text, problem, exposed }) => [
    layer,
    file,
    text,
    problem?.message ?? exposed ?? null,
    trustedHashOf(trust, file) ?? null,
  ])
  const { version, root, home, packsDir, sets } = input
  return JSON.stringify([version, root, home, packsDir, sets, layers])
}

/** Whether the policy has a gate other than the built-in gates. */
export const hasUserGates = ({ gates }: Policy): boolean => gates.some(gate => gate.layer !== 'built-in')

/**
 * The failure mode of a policy: `closed` if the settings, a blocking gate or a sub-hook asks for it. Built-in gates do not count: they
 * are evaluated even after a failure, and deny what they always deny.
 */
export const failureModeOf = ({ gates, hooks, settings }: Policy): FailureMode =>
  settings.onError === 'closed' ||
  gates.some(gate => gate.layer !== 'built-in' && gate.mode === 'block' && gate.onError === 'closed') ||
  hooks.some(hook => hook.onError === 'closed')
    ? 'closed'
    : 'open'

/**
 * Writes the failure mode to a file that is read when everything else fails; a second line lists the error logs to write then. Writes
 * only on change. Returns the file and its text; null if there is no file.
 */
function writeFailureMode(
  stateDir: string,
  root: string,
  program: Policy,
  exports: readonly GateExport[],
): { readonly file: string; readonly text: string | null } {
  const file = failureModeFileOf(stateDir, root)
  const failureMode = failureModeOf(program)
  const logs = exports.flatMap(({ on, errors }) => (errors === undefined ? [] : [{ on, errors }]))
  const text = logs.length === 0 ? failureMode : `${failureMode}\n${JSON.stringify(logs)}`
  const before = readTextIfExists(file)?.trim() ?? null
  if (before === text || (before === null && !hasUserGates(program) && failureMode === 'open'))
    return { file, text: before }
  return { file, text: writeFileAtomically(file, text) ? text : before }
}

const failureModeFileOf = (stateDir: string, root: string): string =>
  join(stateDir, 'posture', sha256Of(Buffer.from(root)).slice(0, 16))
