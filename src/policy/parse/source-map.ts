import type { SourceLocation } from './policy-error.ts'

type DocumentKey = string | number
interface EntryLocation {
  readonly key: SourceLocation
  readonly value: SourceLocation
}

/**
 * The source location of every value of a document, by the object or list that holds it. Stored outside the values, so that they stay
 * plain, and so that a value from a pack option still points to where the person wrote it.
 */
export class SourceMap {
  readonly #spots = new WeakMap<object, Map<DocumentKey, EntryLocation>>()
  readonly #own = new WeakMap<object, SourceLocation>()

  put(holder: object, key: DocumentKey, spot: EntryLocation): void {
    const spots = this.#spots.get(holder) ?? new Map<DocumentKey, EntryLocation>()
    this.#spots.set(holder, spots.set(key, spot))
  }

  putSelf(holder: object, location: SourceLocation): void {
    this.#own.set(holder, location)
  }

  spot(holder: object, key: DocumentKey): EntryLocation | undefined {
    return this.#spots.get(holder)?.get(key)
  }

  /** Gives a copy of a mapping the locations of the original. */
  copy(from: object, to: object): void {
    const self = this.#own.get(from)
    if (self) this.#own.set(to, self)
    for (const [key, spot] of this.#spots.get(from) ?? []) this.put(to, key, spot)
  }

  key(holder: object, key: DocumentKey): SourceLocation | undefined {
    return this.spot(holder, key)?.key ?? this.self(holder)
  }

  value(holder: object, key: DocumentKey): SourceLocation | undefined {
    return this.spot(holder, key)?.value ?? this.self(holder)
  }

  self(holder: object): SourceLocation | undefined {
    return this.#own.get(holder)
  }
}
