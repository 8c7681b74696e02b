import type { Regex } from '../../engine/index.ts'

type Found = ReturnType<Regex['search']>

interface PastSearch {
  readonly text: string
  readonly reach: number
}

/** Regexes with a common budget of steps, charged before each search. A step is one instruction for one character. */
export class MeteredRegex implements Regex {
  isSpent = false
  readonly #asked = new Map<string, PastSearch>()
  readonly #found = new Map<string, { readonly text: string; readonly found: Found }>()

  constructor(
    private readonly inner: Regex,
    private steps: number,
  ) {}

  /** Returns the previous result for the same text: every action of a call asks again. */
  reach(pattern: string, text = ''): number {
    const known = this.#asked.get(pattern)
    if (known?.text === text) return known.reach
    const room = Math.floor(this.steps / Math.max(1, this.size(pattern)))
    const wanted = Math.min(text.length, this.inner.reach?.(pattern, text) ?? text.length)
    const reach = wanted <= room ? (this.inner.reach?.(pattern, text) ?? text.length) : room
    if (room < wanted) this.isSpent = true
    this.#asked.set(pattern, { text, reach })
    return reach
  }

  search(pattern: string, text: string): Found {
    const known = this.#found.get(pattern)
    if (known?.text === text) return known.found
    const cost = this.size(pattern) * text.length
    if (cost > this.steps) {
      this.isSpent = true
      return null
    }
    this.steps -= cost
    const found = this.inner.search(pattern, text)
    this.#found.set(pattern, { text, found })
    return found
  }

  size(pattern: string): number {
    return this.inner.size?.(pattern) ?? 1
  }
}
