import { Sight, type World } from './cache.ts'
import type { Based, Basis, LoadedPolicy } from './load.ts'

/** Of all programs together, as JSON: a project with every pack has about 90,000 characters. */
const MOST_WEIGHT = 4_000_000
/** Places where they hold: a project has one for each folder that agents are in. */
const MOST_PLACES = 256

interface Kept {
  readonly loaded: LoadedPolicy
  readonly basis: Basis
  readonly files: readonly Sight[]
  /** files were as they should be at this time, on the process's own clock */
  checked: number
}

/** Loaded policies of a process that stays. Each is used only while all it depends on is as it was, and looked at again for every event. */
export class KeptPolicies {
  /** the one that was used last comes last; for a place there may be several, with other values of variables */
  readonly #kept = new Map<string, Kept>()
  readonly #weights = new WeakMap<LoadedPolicy, number>()

  constructor(private readonly clock: () => number) {}

  /** `place` names all that the caller brings but for variables and programs; `came`: when the event was there. */
  load(place: string, world: World, came: number, fresh: () => Based): LoadedPolicy {
    const known = this.#kept.get(place)
    const name = known && !hasVariables(known.basis, world) ? variantOf(place, known.basis, world) : place
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

  #holds(kept: Kept, world: World, came: number): boolean {
    if (!hasVariables(kept.basis, world)) return false
    if (kept.checked < came) {
      const now = this.clock()
      if (!kept.files.every(file => file.isSame())) return false
      kept.checked = now
    }
    return Object.entries(kept.basis.commands).every(([name, had]) => world.hasCommand(name) === had)
  }

  #keep(name: string, { loaded, basis }: Based, checked: number): Based {
    if (!basis.lasts) return { loaded, basis }
    const twin = [...this.#kept.values()].find(
      one => one.basis.key === basis.key && one.loaded.program.hash === loaded.program.hash,
    )
    // who finds it here finds what was compiled before
    const own = twin ? twin.loaded : { ...loaded, fromCache: true }
    if (!twin) this.#weights.set(own, JSON.stringify(loaded.program).length + basis.key.length)
    this.#kept.set(name, { loaded: own, basis, files: basis.refs.map(ref => new Sight(ref)), checked })
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MOST_PLACES && this.#weight() <= MOST_WEIGHT) break
      this.#kept.delete(oldest)
    }
    return { loaded, basis }
  }

  #weight(): number {
    const distinct = new Set([...this.#kept.values()].map(({ loaded }) => loaded))
    return [...distinct].reduce((sum, one) => sum + (this.#weights.get(one) ?? 0), 0)
  }
}

const hasVariables = ({ variables }: Basis, world: World): boolean =>
  Object.entries(variables).every(([name, value]) => (world.env(name) ?? null) === value)

/** The names that count are those of the place's first policy; if another one has others, it is looked up in vain, and loaded. */
const variantOf = (place: string, { variables }: Basis, world: World): string =>
  place + JSON.stringify(Object.keys(variables).map(name => world.env(name) ?? null))
