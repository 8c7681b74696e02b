import type { LoadedPolicy, PolicyDependencies, PolicyWithDependencies } from '../load.ts'
import { type CompileEnvironment, FileChangeCheck } from './compiled-cache.ts'

/** Of all programs together, as JSON: a project with every pack has about 90,000 characters. */
const MAX_CHARACTERS = 4_000_000
/** Places where they hold: a project has one for each folder that agents are in. */
const MAX_ENTRIES = 256

interface CacheEntry {
  readonly loaded: LoadedPolicy
  readonly basis: PolicyDependencies
  readonly files: readonly FileChangeCheck[]
  /** files were as they should be at this time, on the process's own clock */
  checked: number
}

/** Loaded policies of a process that stays. Each is used only while all it depends on is as it was, and looked at again for every event. */
export class PolicyCache {
  /** the one that was used last comes last; for a place there may be several, with other values of variables */
  readonly #kept = new Map<string, CacheEntry>()
  readonly #weights = new WeakMap<LoadedPolicy, number>()

  constructor(private readonly clock: () => number) {}

  /** `place` names all that the caller brings but for variables and programs; `came`: when the event was there. */
  load(place: string, world: CompileEnvironment, came: number, fresh: () => PolicyWithDependencies): LoadedPolicy {
    const known = this.#kept.get(place)
    const name = known && !hasSameVariables(known.basis, world) ? variantKeyOf(place, known.basis, world) : place
    const kept = name === place ? known : this.#kept.get(name)
    if (kept && this.#holds(kept, world, came)) {
      this.#kept.delete(name)
      this.#kept.set(name, kept)
      return kept.loaded
    }
    this.#kept.delete(name)
    const checked = this.clock()
    return this.#keep(name, fresh(), checked).loaded
  }

  get size(): number {
    return this.#kept.size
  }

  #holds(kept: CacheEntry, world: CompileEnvironment, came: number): boolean {
    if (!hasSameVariables(kept.basis, world)) return false
    if (kept.checked < came) {
      const now = this.clock()
      if (!kept.files.every(file => file.isSame())) return false
      kept.checked = now
    }
    return Object.entries(kept.basis.commands).every(([name, had]) => world.hasCommand(name) === had)
  }

  #keep(name: string, { loaded, basis }: PolicyWithDependencies, checked: number): PolicyWithDependencies {
    if (!basis.lasts) return { loaded, basis }
    const twin = [...this.#kept.values()].find(
      one => one.basis.key === basis.key && one.loaded.program.hash === loaded.program.hash,
    )
    // who finds it here finds what was compiled before
    const own = twin ? twin.loaded : { ...loaded, fromCache: true }
    if (!twin) this.#weights.set(own, JSON.stringify(loaded.program).length + basis.key.length)
    this.#kept.set(name, { loaded: own, basis, files: basis.refs.map(ref => new FileChangeCheck(ref)), checked })
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_ENTRIES && this.#weight() <= MAX_CHARACTERS) break
      this.#kept.delete(oldest)
    }
    return { loaded, basis }
  }

  #weight(): number {
    const distinct = new Set([...this.#kept.values()].map(({ loaded }) => loaded))
    return [...distinct].reduce((sum, one) => sum + (this.#weights.get(one) ?? 0), 0)
  }
}

const hasSameVariables = ({ variables }: PolicyDependencies, world: CompileEnvironment): boolean =>
  Object.entries(variables).every(([name, value]) => (world.env(name) ?? null) === value)

/** The names that count are those of the place's first policy; if another one has others, it is looked up in vain, and loaded. */
const variantKeyOf = (place: string, { variables }: PolicyDependencies, world: CompileEnvironment): string =>
  place + JSON.stringify(Object.keys(variables).map(name => world.env(name) ?? null))
