import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../pattern/index.ts'
import type { Inactive } from './compile/context.ts'
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
  readonly inactive: readonly Inactive[]
  readonly exports: readonly Export[]
  /** files looked for and the hash of their content; null: not there */
  readonly refs: readonly (readonly [file: string, hash: string | null])[]
  readonly commands: Readonly<Record<string, boolean>>
  readonly variables: Readonly<Record<string, string | null>>
}

/** What a compiled policy depends on beside files. */
interface World {
  hasCommand(name: string): boolean
  env(name: string): string | undefined
}

const folderIn = (stateDir: string): string => join(stateDir, 'cache')
const KEEP = 64

export function readCache(stateDir: string, key: string, world: World): Cached | null {
  const found = fileNamed(stateDir, key)
  const names = isObject(found) && Array.isArray(found.variables) ? found.variables.map(String) : undefined
  const cached = names ? fileNamed(stateDir, variantOf(key, valuesOf(names, world))) : found
  if (!isCached(cached) || cached.key !== key) return null
  const same =
    cached.refs.every(([file, hash]) => hashOf(file) === hash) &&
    Object.entries(cached.variables).every(([name, value]) => (world.env(name) ?? null) === value) &&
    Object.entries(cached.commands).every(([name, had]) => world.hasCommand(name) === had)
  return same ? cached : null
}

/**
 * A cache that cannot be written costs time, nothing else. Where variables count, the file of the key only names them, and
 * each of their values has a file of its own: two registrations of the hook with different ones take turns all day.
 */
export function writeCache(stateDir: string, cached: Cached): void {
  const { key, variables } = cached
  const names = Object.keys(variables).sort()
  const file = (name: string): string => join(folderIn(stateDir), `${name}.json`)
  if (names.length > 0 && !writeAtomically(file(key), JSON.stringify({ variables: names }))) return
  const own =
    names.length > 0
      ? variantOf(
          key,
          names.map(name => [name, variables[name] ?? null]),
        )
      : key
  if (writeAtomically(file(own), JSON.stringify(cached))) prune(folderIn(stateDir))
}

type Values = readonly (readonly [name: string, value: string | null])[]

const valuesOf = (names: readonly string[], { env }: World): Values => names.map(name => [name, env(name) ?? null])

const variantOf = (key: string, values: Values): string => sha256(key + JSON.stringify(values))

function fileNamed(stateDir: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folderIn(stateDir), `${name}.json`), 'utf8'))
  } catch {
    return null
  }
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
  if (!isObject(value) || ![value.program, value.commands, value.variables].every(isObject)) return false
  const { key, layers, problems, warnings, inactive, exports, refs, program } = value
  return (
    typeof key === 'string' &&
    [layers, problems, warnings, inactive, exports, refs].every(Array.isArray) &&
    isObject(program) &&
    [program.gates, program.notices].every(Array.isArray)
  )
}
