import type { Place } from './problem.ts'

type Key = string | number
interface Spot {
  readonly key: Place
  readonly value: Place
}

/**
 * Where every value of a document was written, by the object or list that holds it. Kept beside the values, so that
 * they stay plain, and so that a value a pack option brought in still points to where the person wrote it.
 */
export class Places {
  readonly #spots = new WeakMap<object, Map<Key, Spot>>()
  readonly #own = new WeakMap<object, Place>()

  put(holder: object, key: Key, spot: Spot): void {
    const spots = this.#spots.get(holder) ?? new Map<Key, Spot>()
    this.#spots.set(holder, spots.set(key, spot))
  }

  putSelf(holder: object, place: Place): void {
    this.#own.set(holder, place)
  }

  spot(holder: object, key: Key): Spot | undefined {
    return this.#spots.get(holder)?.get(key)
  }

  key(holder: object, key: Key): Place | undefined {
    return this.spot(holder, key)?.key ?? this.self(holder)
  }

  value(holder: object, key: Key): Place | undefined {
    return this.spot(holder, key)?.value ?? this.self(holder)
  }

  self(holder: object): Place | undefined {
    return this.#own.get(holder)
  }
}
