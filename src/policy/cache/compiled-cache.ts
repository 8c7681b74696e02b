import { existsSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { fnv64 } from '../../lib/fnv64.ts'
import { writeFileAtomically } from '../../lib/fs/atomic-write.ts'
import { readRegularFile } from '../../lib/fs/regular-file.ts'
import { isObject } from '../../lib/json.ts'
import type { InactiveRoute } from '../compile/context.ts'
import type { LayerReport } from '../compile/layer-report.ts'
import type { PolicyError } from '../parse/policy-error.ts'
import type { GateExport, Policy } from '../policy.ts'

/** A file that was looked for: its stamp (null: it could not be read), or its text if that was still changing. */
export type FileRef =
  | readonly [file: string, stamp: string | null]
  | readonly [file: string, stamp: undefined, text: string]

/** A compiled policy on disk, with what has to be as it was for it to hold. */
export interface CachedPolicy {
  /** all that the compilation was given, word for word: a short name of it could be another's */
  readonly key: string
  readonly program: Policy
  readonly layers: readonly LayerReport[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  readonly inactive: readonly InactiveRoute[]
  readonly exports: readonly GateExport[]
  readonly refs: readonly FileRef[]
  readonly commands: Readonly<Record<string, boolean>>
  /** of the environment, as they were; null: not set */
  readonly variables: Readonly<Record<string, string | null>>
}

/** What a compiled policy depends on beside files. */
export interface CompileEnvironment {
  hasCommand(name: string): boolean
  env(name: string): string | undefined
}

const cacheFolderIn = (stateDir: string): string => join(stateDir, 'cache')
const cacheFileFor = (stateDir: string, key: string): string => join(cacheFolderIn(stateDir), `${fnv64(key)}.json`)
const MAX_FILES = 64
/** the file system's clock is no finer than this, and may be behind by as much */
const MTIME_RESOLUTION_MS = 20

export function readCompiledCache(stateDir: string, key: string, world: CompileEnvironment): CachedPolicy | null {
  try {
    const first = readJsonFile(cacheFileFor(stateDir, key))
    const names = isObject(first) && Array.isArray(first.variables) ? first.variables.map(String) : undefined
    const found = names ? readJsonFile(cacheFileFor(stateDir, variantKeyOf(key, names, world.env))) : first
    if (!isCachedPolicy(found) || found.key !== key) return null
    const same =
      Object.entries(found.variables).every(([name, value]) => (world.env(name) ?? null) === value) &&
      found.refs.every(isFileUnchanged) &&
      Object.entries(found.commands).every(([name, had]) => world.hasCommand(name) === had)
    return same ? found : null
  } catch {
    return null
  }
}

const readJsonFile = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/**
 * A cache that cannot be written costs time, nothing else. Where variables count, the file of the key only names them, and
 * each of their values has a file of its own: two registrations of the hook with different ones take turns all day.
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

/** Of an earlier text of this file: when that comes back, it is to be compiled, and kept as the last good one, once more. */
export function evictCompiled(stateDir: string, file: string): void {
  try {
    const names = readdirSync(cacheFolderIn(stateDir)).filter(name => name.endsWith('.json'))
    for (const name of names.map(one => join(cacheFolderIn(stateDir), one)))
      if (readFileSync(name, 'utf8').includes(file)) rmSync(name, { force: true })
  } catch {
    // another process forgets too
  }
}

/** What was just written stays: the clock may not tell it from older ones. */
function pruneCache(folder: string, fresh: readonly string[]): void {
  try {
    const names = readdirSync(folder)
    if (names.length <= MAX_FILES) return
    const files = names.map(name => join(folder, name)).filter(file => !fresh.includes(file))
    const byAge = files.map(file => ({ file, age: statSync(file).mtimeMs }))
    for (const { file } of byAge.sort((a, b) => b.age - a.age).slice(MAX_FILES / 2)) rmSync(file, { force: true })
  } catch {
    // another process prunes too
  }
}

/** Of a file that was read after `began`: touched since then, its stamp may not be that of the text. */
export function fileRefOf(file: string, text: string | null, began: number): FileRef {
  if (text === null) return [file, null]
  const stat = statSync(file, { throwIfNoEntry: false })
  return !stat || stat.ctimeMs > began - MTIME_RESOLUTION_MS ? [file, undefined, text] : [file, stampOf(stat)]
}

export function isFileUnchanged([file, stamp, text]: FileRef): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return stamp === null && text === undefined
  return typeof stamp === 'string' ? stampOf(stat) === stamp : readOrNull(file) === (text ?? null)
}

/** The same of many files at once, again and again: as numbers, which are compared ten times as quickly as they are written out. */
export class FileChangeCheck {
  readonly #ref: FileRef
  #stat: Stats | undefined

  constructor(ref: FileRef) {
    this.#ref = ref
  }

  /** What cannot be looked at is not the same: whoever reads it anew knows what that means. */
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
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat && this.#stat && hasSameStat(stat, this.#stat)) return true
    // a file that was just being written is compared word for word, until it has rested
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

function readOrNull(file: string): string | null {
  try {
    return readRegularFile(file)
  } catch {
    return null
  }
}

/** Which file it is and when it was last touched: whoever changes its content changes that too, whatever time they set. */
const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => [dev, ino, size, mtimeMs, ctimeMs].join(' ')

/** Written by this very version, for this user only: a look at the outline finds what a crash may have left. */
function isCachedPolicy(value: unknown): value is CachedPolicy {
  if (!isObject(value) || !isObject(value.program) || !isObject(value.commands) || !isObject(value.variables))
    return false
  const { key, layers, problems, warnings, inactive, exports, refs, program } = value
  return (
    typeof key === 'string' &&
    [layers, problems, warnings, inactive, exports, refs, program.gates, program.notices].every(Array.isArray)
  )
}
