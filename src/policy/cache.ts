import { existsSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { digest, isObject } from '../pattern/index.ts'
import type { Inactive } from './compile/context.ts'
import type { Export, Policy } from './policy.ts'
import type { PolicyError } from './problem.ts'
import { readRegular } from './read.ts'
import type { LayerReport } from './report.ts'
import { writeAtomically } from './write.ts'

/** A file that was looked for: its stamp (null: it could not be read), or its text if that was still changing. */
export type Ref =
  | readonly [file: string, stamp: string | null]
  | readonly [file: string, stamp: undefined, text: string]

/** A compiled policy on disk, with what has to be as it was for it to hold. */
export interface Cached {
  /** all that the compilation was given, word for word: a short name of it could be another's */
  readonly key: string
  readonly program: Policy
  readonly layers: readonly LayerReport[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  readonly inactive: readonly Inactive[]
  readonly exports: readonly Export[]
  readonly refs: readonly Ref[]
  readonly commands: Readonly<Record<string, boolean>>
  /** of the environment, as they were; null: not set */
  readonly variables: Readonly<Record<string, string | null>>
}

/** What a compiled policy depends on beside files. */
export interface World {
  hasCommand(name: string): boolean
  env(name: string): string | undefined
}

const folderIn = (stateDir: string): string => join(stateDir, 'cache')
const fileFor = (stateDir: string, key: string): string => join(folderIn(stateDir), `${digest(key)}.json`)
const KEEP = 64
/** the file system's clock is no finer than this, and may be behind by as much */
const TICK_MS = 20

export function readCache(stateDir: string, key: string, world: World): Cached | null {
  try {
    const first = parsed(fileFor(stateDir, key))
    const names = isObject(first) && Array.isArray(first.variables) ? first.variables.map(String) : undefined
    const found = names ? parsed(fileFor(stateDir, variantOf(key, names, world.env))) : first
    if (!isCached(found) || found.key !== key) return null
    const same =
      Object.entries(found.variables).every(([name, value]) => (world.env(name) ?? null) === value) &&
      found.refs.every(isSame) &&
      Object.entries(found.commands).every(([name, had]) => world.hasCommand(name) === had)
    return same ? found : null
  } catch {
    return null
  }
}

const parsed = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/**
 * A cache that cannot be written costs time, nothing else. Where variables count, the file of the key only names them, and
 * each of their values has a file of its own: two registrations of the hook with different ones take turns all day.
 */
export function writeCache(stateDir: string, cached: Cached): void {
  const { key, variables } = cached
  const names = Object.keys(variables).sort()
  const own = names.length === 0 ? key : variantOf(key, names, name => variables[name] ?? undefined)
  if (own !== key && !writeAtomically(fileFor(stateDir, key), JSON.stringify({ variables: names }))) return
  const file = fileFor(stateDir, own)
  if (writeAtomically(file, JSON.stringify(cached))) prune(folderIn(stateDir), [file, fileFor(stateDir, key)])
}

const variantOf = (key: string, names: readonly string[], env: World['env']): string =>
  key + JSON.stringify(names.map(name => env(name) ?? null))

/** Of an earlier text of this file: when that comes back, it is to be compiled, and kept as the last good one, once more. */
export function forgetCompiled(stateDir: string, file: string): void {
  try {
    const names = readdirSync(folderIn(stateDir)).filter(name => name.endsWith('.json'))
    for (const name of names.map(one => join(folderIn(stateDir), one)))
      if (readFileSync(name, 'utf8').includes(file)) rmSync(name, { force: true })
  } catch {
    // another process forgets too
  }
}

/** What was just written stays: the clock may not tell it from older ones. */
function prune(folder: string, fresh: readonly string[]): void {
  try {
    const names = readdirSync(folder)
    if (names.length <= KEEP) return
    const files = names.map(name => join(folder, name)).filter(file => !fresh.includes(file))
    const byAge = files.map(file => ({ file, age: statSync(file).mtimeMs }))
    for (const { file } of byAge.sort((a, b) => b.age - a.age).slice(KEEP / 2)) rmSync(file, { force: true })
  } catch {
    // another process prunes too
  }
}

/** Of a file that was read after `began`: touched since then, its stamp may not be that of the text. */
export function refOf(file: string, text: string | null, began: number): Ref {
  if (text === null) return [file, null]
  const stat = statSync(file, { throwIfNoEntry: false })
  return !stat || stat.ctimeMs > began - TICK_MS ? [file, undefined, text] : [file, stampOf(stat)]
}

export function isSame([file, stamp, text]: Ref): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return stamp === null && text === undefined
  return typeof stamp === 'string' ? stampOf(stat) === stamp : readOrNull(file) === (text ?? null)
}

/** The same of many files at once, again and again: as numbers, which are compared ten times as quickly as they are written out. */
export class Sight {
  readonly #ref: Ref
  #stat: Stats | undefined

  constructor(ref: Ref) {
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
    if (stat && this.#stat && isUntouched(stat, this.#stat)) return true
    // a file that was just being written is compared word for word, until it has rested
    const began = Date.now()
    if (!stat || !isSame(this.#ref)) return false
    if (typeof stamp === 'string' ? stampOf(stat) === stamp : stat.ctimeMs <= began - TICK_MS) this.#stat = stat
    return true
  }
}

const isUntouched = (one: Stats, other: Stats): boolean =>
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.ino === other.ino &&
  one.size === other.size &&
  one.dev === other.dev

function readOrNull(file: string): string | null {
  try {
    return readRegular(file)
  } catch {
    return null
  }
}

/** Which file it is and when it was last touched: whoever changes its content changes that too, whatever time they set. */
const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => [dev, ino, size, mtimeMs, ctimeMs].join(' ')

/** Written by this very version, for this user only: a look at the outline finds what a crash may have left. */
function isCached(value: unknown): value is Cached {
  if (!isObject(value) || !isObject(value.program) || !isObject(value.commands) || !isObject(value.variables))
    return false
  const { key, layers, problems, warnings, inactive, exports, refs, program } = value
  return (
    typeof key === 'string' &&
    [layers, problems, warnings, inactive, exports, refs, program.gates, program.notices].every(Array.isArray)
  )
}
