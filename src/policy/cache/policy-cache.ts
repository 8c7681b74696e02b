import type { LoadedPolicy, PolicyDependencies, PolicyWithDependencies } from '../load.ts'
import { type CompileEnvironment, FileChangeCheck } from './compiled-cache.ts'

/** The limit for all programs together, as JSON. A project with every pack has about 90,000 characters. */
const MAX_CHARACTERS = 4_000_000
/** Number of entries. A project has one for each folder in which agents work. */
const MAX_ENTRIES = 256

interface CacheEntry {
  readonly loaded: LoadedPolicy
  readonly basis: PolicyDependencies
  readonly files: readonly FileChangeCheck[]
  /** when the files were last found unchanged, on the process's own clock */
  checked: number
}

/** Loaded policies of a process that stays. Dependencies are checked for every event; an entry is used only if none has changed. */
export class PolicyCache {
  /** least recently used first; a place can have several entries, for different values of variables */
  readonly #entries = new Map<string, CacheEntry>()
  readonly #weights = new WeakMap<LoadedPolicy, number>()

  constructor(private readonly clock: () => number) {}

  /** `place` identifies the caller's inputs except variables and programs. `came`: when the event arrived. */
  load(
    place: string,
    environment: CompileEnvironment,
    arrivedAt: number,
    fresh: () => PolicyWithDependencies,
  ): LoadedPolicy {
    const known = this.#entries.get(place)
    const name =
      known && !hasSameVariables(known.basis, environment) ? variantKeyOf(place, known.basis, environment) : place
    const entry = name === place ? known : this.#entries.get(name)
    if (entry && this.#holds(entry, environment, arrivedAt)) {
      this.#entries.delete(name)
      this.#entries.set(name, entry)
      return entry.loaded
    }
    this.#entries.delete(name)
    const checked = this.clock()
    return this.#keep(name, fresh(), checked).loaded
  }

  get size(): number {
    return this.#entries.size
  }

  #holds(entry: CacheEntry, environment: CompileEnvironment, arrivedAt: number): boolean {
    if (!hasSameVariables(entry.basis, environment)) return false
    if (entry.checked < arrivedAt) {
      const now = this.clock()
      if (!entry.files.every(file => file.isSame())) return false
      entry.checked = now
    }
    return Object.entries(entry.basis.commands).every(([name, had]) => environment.hasCommand(name) === had)
  }

  #keep(name: string, { loaded, basis }: PolicyWithDependencies, checked: number): PolicyWithDependencies {
    if (!basis.lasts) return { loaded, basis }
    const twin = [...this.#entries.values()].find(
      cacheEntry => cacheEntry.basis.key === basis.key && cacheEntry.loaded.program.hash === loaded.program.hash,
    )
    // the next caller gets it from this cache
    const own = twin ? twin.loaded : { ...loaded, fromCache: true }
    if (!twin) this.#weights.set(own, JSON.stringify(loaded.program).length + basis.key.length)
    this.#entries.set(name, { loaded: own, basis, files: basis.refs.map(ref => new FileChangeCheck(ref)), checked })
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES && this.#weight() <= MAX_CHARACTERS) break
      this.#entries.delete(oldest)
    }
    return { loaded, basis }
  }

  #weight(): number {
    const distinct = new Set([...this.#entries.values()].map(({ loaded }) => loaded))
    return [...distinct].reduce((sum, policy) => sum + (this.#weights.get(policy) ?? 0), 0)
  }
}

const hasSameVariables = ({ variables }: PolicyDependencies, environment: CompileEnvironment): boolean =>
  Object.entries(variables).every(([name, value]) => (environment.env(name) ?? null) === value)

/** Uses the variable names of the first policy at `place`. A policy with other variables is not found, and is loaded again. */
const variantKeyOf = (place: string, { variables }: PolicyDependencies, environment: CompileEnvironment): string =>
  place + JSON.stringify(Object.keys(variables).map(name => environment.env(name) ?? null))
