import { existsSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { readRegularFile, statIfExists, writeFileAtomically } from '../../lib/files.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { isObject } from '../../lib/json.ts'
import type { InactiveRoute } from '../compile/context.ts'
import type { LayerReport } from '../compile/layer-report.ts'
import type { PolicyError } from '../parse/policy-error.ts'
import type { GateExport, Policy } from '../policy.ts'

/** A file the policy depends on: its stamp (null: unreadable), or its text if it had changed too recently for a stamp. */
export type FileRef =
  | readonly [file: string, stamp: string | null]
  | readonly [file: string, stamp: undefined, text: string]

/** A compiled policy on disk, with everything that must be unchanged for it to be valid. */
export interface CachedPolicy {
  /** all inputs of the compilation in full, because a hash could collide */
  readonly key: string
  readonly program: Policy
  readonly layers: readonly LayerReport[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  readonly inactive: readonly InactiveRoute[]
  readonly exports: readonly GateExport[]
  readonly refs: readonly FileRef[]
  readonly commands: Readonly<Record<string, boolean>>
  /** values of environment variables; null: not set */
  readonly variables: Readonly<Record<string, string | null>>
}

/** What a compiled policy depends on besides files. */
export interface CompileEnvironment {
  hasCommand(name: string): boolean
  env(name: string): string | undefined
}

const cacheFolderIn = (stateDir: string): string => join(stateDir, 'cache')
const cacheFileFor = (stateDir: string, key: string): string => join(cacheFolderIn(stateDir), `${fnv64(key)}.json`)
const MAX_FILES = 64
/** resolution of file timestamps, which may also lag behind the clock by as much */
const MTIME_RESOLUTION_MS = 20

export function readCompiledCache(stateDir: string, key: string, environment: CompileEnvironment): CachedPolicy | null {
  try {
    const first = readJsonFile(cacheFileFor(stateDir, key))
    const names = isObject(first) && Array.isArray(first.variables) ? first.variables.map(String) : undefined
    const found = names ? readJsonFile(cacheFileFor(stateDir, variantKeyOf(key, names, environment.env))) : first
    if (!isCachedPolicy(found) || found.key !== key) return null
    const same =
      Object.entries(found.variables).every(([name, value]) => (environment.env(name) ?? null) === value) &&
      found.refs.every(isFileUnchanged) &&
      Object.entries(found.commands).every(([name, had]) => environment.hasCommand(name) === had)
    return same ? found : null
  } catch {
    return null
  }
}

/** A compiled policy may be much longer than its text. */
const LARGEST_CACHED = 100_000_000

const readJsonFile = (file: string): unknown => JSON.parse(readRegularFile(file, LARGEST_CACHED))

/**
 * Failing to write the cache only costs time. If the policy depends on variables, the file for `key` lists their names only, and each
 * combination of values has its own file: two hook registrations with different values may alternate all day.
 */
export function writeCompiledCache(stateDir: string, cached: CachedPolicy): void {
  const { key, variables } = cached
  const names = Object.keys(variables).sort()
  const own = names.length === 0 ? key : variantKeyOf(key, names, name => variables[name] ?? undefined)
  if (own !== key && !writeFileAtomically(cacheFileFor(stateDir, key), JSON.stringify({ variables: names }))) return
  const file = cacheFileFor(stateDir, own)
  if (writeFileAtomically(file, JSON.stringify(cached)))
    pruneCache(cacheFolderIn(stateDir), [file, cacheFileFor(stateDir, key)])
}

const variantKeyOf = (key: string, names: readonly string[], env: CompileEnvironment['env']): string =>
  key + JSON.stringify(names.map(name => env(name) ?? null))

/** Deletes compiled policies that mention `file`: if its earlier text comes back, it must compile again to become the last good version. */
export function evictCompiled(stateDir: string, file: string): void {
  try {
    const names = readdirSync(cacheFolderIn(stateDir)).filter(name => name.endsWith('.json'))
    for (const name of names.map(text => join(cacheFolderIn(stateDir), text)))
      if (readRegularFile(name, LARGEST_CACHED).includes(file)) rmSync(name, { force: true })
  } catch {
    // another process may be deleting them too
  }
}

/** Keeps the files just written: timestamps may not show that they are the newest. */
function pruneCache(folder: string, fresh: readonly string[]): void {
  try {
    const names = readdirSync(folder)
    if (names.length <= MAX_FILES) return
    const files = names.map(name => join(folder, name)).filter(file => !fresh.includes(file))
    const byAge = files.map(file => ({ file, age: statSync(file).mtimeMs }))
    for (const { file } of byAge.sort((a, b) => b.age - a.age).slice(MAX_FILES / 2)) rmSync(file, { force: true })
  } catch {
    // another process may be pruning too
  }
}

/** For a file read after `began`. If it has changed since, its stamp may not belong to `text`, so the text itself is kept. */
export function fileRefOf(file: string, text: string | null, began: number): FileRef {
  if (text === null) return [file, null]
  const stat = statIfExists(file)
  return !stat || stat.ctimeMs > began - MTIME_RESOLUTION_MS ? [file, undefined, text] : [file, stampOf(stat)]
}

export function isFileUnchanged([file, stamp, text]: FileRef): boolean {
  const stat = statIfExists(file)
  if (!stat) return stamp === null && text === undefined
  return typeof stamp === 'string' ? stampOf(stat) === stamp : readOrNull(file) === (text ?? null)
}

/** Checks a file repeatedly. Compares stat numbers, which is ten times faster than building stamps. */
export class FileChangeCheck {
  readonly #ref: FileRef
  #stat: Stats | undefined

  constructor(ref: FileRef) {
    this.#ref = ref
  }

  /** A file that cannot be checked counts as changed: loading it again reports the reason. */
  isSame(): boolean {
    try {
      return this.#looksSame()
    } catch {
      return false
    }
  }

  #looksSame(): boolean {
    const [file, stamp] = this.#ref
    if (stamp === null && !existsSync(file)) return true
    const stat = statIfExists(file)
    if (stat && this.#stat && hasSameStat(stat, this.#stat)) return true
    // a file that was changed very recently is compared by its text until its timestamps are old enough
    const began = Date.now()
    if (!stat || !isFileUnchanged(this.#ref)) return false
    if (typeof stamp === 'string' ? stampOf(stat) === stamp : stat.ctimeMs <= began - MTIME_RESOLUTION_MS)
      this.#stat = stat
    return true
  }
}

const hasSameStat = (one: Stats, other: Stats): boolean =>
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.ino === other.ino &&
  one.size === other.size &&
  one.dev === other.dev

const readOrNull = (file: string): string | null => tryOr(null, () => readRegularFile(file))

/** Identifies a file and its last change. Changing the content also changes `ctime`, even if someone sets `mtime` back. */
const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => [dev, ino, size, mtimeMs, ctimeMs].join(' ')

/** Checks only the outline: this version wrote the file for this user, so only a crash can have left it incomplete. */
function isCachedPolicy(value: unknown): value is CachedPolicy {
  if (!isObject(value) || !isObject(value.program) || !isObject(value.commands) || !isObject(value.variables))
    return false
  const { key, layers, problems, warnings, inactive, exports, refs, program } = value
  return (
    typeof key === 'string' &&
    [layers, problems, warnings, inactive, exports, refs, program.gates, program.notices].every(Array.isArray)
  )
}
