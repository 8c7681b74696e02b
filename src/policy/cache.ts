import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../pattern/index.ts'
import type { Export, Policy } from './policy.ts'
import type { PolicyError } from './problem.ts'
import { readRegular } from './read.ts'
import type { LayerReport } from './report.ts'
import { writeAtomically } from './write.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A compiled policy on disk, with what has to be as it was for it to hold. */
export interface Cached {
  readonly key: string
  readonly program: Policy
  readonly layers: readonly LayerReport[]
  readonly problems: readonly PolicyError[]
  readonly warnings: readonly PolicyError[]
  readonly exports: readonly Export[]
  /** files looked for and the hash of their content; null: not there */
  readonly refs: readonly (readonly [file: string, hash: string | null])[]
  readonly commands: Readonly<Record<string, boolean>>
}

const folderIn = (stateDir: string): string => join(stateDir, 'cache')
const KEEP = 64

export function readCache(stateDir: string, key: string, hasCommand: (name: string) => boolean): Cached | null {
  try {
    const found: unknown = JSON.parse(readFileSync(join(folderIn(stateDir), `${key}.json`), 'utf8'))
    if (!isCached(found) || found.key !== key) return null
    const same = found.refs.every(([file, hash]) => hashOf(file) === hash)
    return same && Object.entries(found.commands).every(([name, had]) => hasCommand(name) === had) ? found : null
  } catch {
    return null
  }
}

/** A cache that cannot be written costs time, nothing else. */
export function writeCache(stateDir: string, cached: Cached): void {
  if (writeAtomically(join(folderIn(stateDir), `${cached.key}.json`), JSON.stringify(cached))) prune(folderIn(stateDir))
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

function hashOf(file: string): string | null {
  try {
    return sha256(readRegular(file))
  } catch {
    return null
  }
}

/** Written by this very version, for this user only: a look at the outline finds what a crash may have left. */
function isCached(value: unknown): value is Cached {
  if (!isObject(value) || !isObject(value.program) || !isObject(value.commands)) return false
  const { key, layers, problems, warnings, exports, refs, program } = value
  return (
    typeof key === 'string' &&
    [layers, problems, warnings, exports, refs, program.gates, program.notices].every(Array.isArray)
  )
}
