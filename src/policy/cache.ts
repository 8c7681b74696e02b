import { readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { digest, isObject } from '../pattern/index.ts'
import type { Export } from './compile/context.ts'
import type { Policy } from './policy.ts'
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
  readonly exports: readonly Export[]
  readonly refs: readonly Ref[]
  readonly commands: Readonly<Record<string, boolean>>
}

const folderIn = (stateDir: string): string => join(stateDir, 'cache')
const fileFor = (stateDir: string, key: string): string => join(folderIn(stateDir), `${digest(key)}.json`)
const KEEP = 64
/** the file system's clock is no finer than this, and may be behind by as much */
const TICK_MS = 20

export function readCache(stateDir: string, key: string, hasCommand: (name: string) => boolean): Cached | null {
  try {
    const found: unknown = JSON.parse(readFileSync(fileFor(stateDir, key), 'utf8'))
    if (!isCached(found) || found.key !== key) return null
    const same = found.refs.every(isSame)
    return same && Object.entries(found.commands).every(([name, had]) => hasCommand(name) === had) ? found : null
  } catch {
    return null
  }
}

/** A cache that cannot be written costs time, nothing else. */
export function writeCache(stateDir: string, cached: Cached): void {
  if (writeAtomically(fileFor(stateDir, cached.key), JSON.stringify(cached))) prune(folderIn(stateDir))
}

function prune(folder: string): void {
  try {
    const names = readdirSync(folder)
    if (names.length <= KEEP) return
    const byAge = names.map(name => join(folder, name)).map(file => ({ file, age: statSync(file).mtimeMs }))
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

function isSame([file, stamp, text]: Ref): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return stamp === null && text === undefined
  return typeof stamp === 'string' ? stampOf(stat) === stamp : readOrNull(file) === (text ?? null)
}

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
  if (!isObject(value) || !isObject(value.program) || !isObject(value.commands)) return false
  const { key, layers, problems, warnings, exports, refs, program } = value
  return (
    typeof key === 'string' &&
    [layers, problems, warnings, exports, refs, program.gates, program.notices].every(Array.isArray)
  )
}
