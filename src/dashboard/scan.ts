import type { RawRecord, TrailReader } from '../store/index.ts'
import { type Found, foundIn } from '../trail/index.ts'
import { BLOCK, blockIn, blockOf, type Lookup } from './lookup.ts'
import type { Range } from './lookup-keys.ts'
import { patience } from './patience.ts'

export interface Wanted {
  /** keys that what is wanted has, see `rangesOf` */
  readonly keys: readonly (readonly Range[])[]
  /** reading a record costs more than looking at its text: false only where it cannot be wanted */
  readonly couldBe?: (json: string) => boolean
  readonly is: (found: Found) => boolean
}

export interface Scan {
  /** newest first */
  readonly found: readonly Found[]
  /** go on before this number; null: that was all */
  readonly before: number | null
  readonly looked: number
  readonly unread: readonly number[]
}

/** Looks from `before` back for what is wanted, until there is enough of it or the time is over. */
export function scanBack(
  trail: TrailReader,
  lookup: Lookup,
  wanted: Wanted,
  {
    before,
    after = 0,
    most,
    ms,
  }: { readonly before: number; readonly after?: number; readonly most: number; readonly ms: number },
): Scan {
  const isOver = patience(ms)
  const mayHold = lookup.mayHold(wanted.keys)
  const oldest = blockOf(Math.max(trail.anchor().seq, after) + 1)
  const sieve = new Sieve(wanted, most)
  let looked = 0
  for (let block = blockOf(Math.min(before, trail.last() + 1) - 1); block >= oldest; block--) {
    if (!mayHold(block)) continue
    if (isOver()) return { ...sieve, before: (block + 1) * BLOCK, looked }
    const records = blockIn(trail, block).filter(({ seq }) => seq > after && seq < before)
    looked += records.length
    for (const raw of [...records].reverse()) if (sieve.add(raw)) return { ...sieve, before: raw.seq, looked }
  }
  return { ...sieve, before: null, looked }
}

/** What is wanted of what comes by. */
class Sieve {
  readonly found: Found[] = []
  readonly unread: number[] = []
  readonly #wanted: Wanted
  readonly #most: number

  constructor(wanted: Wanted, most: number) {
    this.#wanted = wanted
    this.#most = most
  }

  /** True: that is enough. */
  add(raw: RawRecord): boolean {
    if (this.#wanted.couldBe?.(raw.json) === false) return false
    const found = foundIn(raw)
    if (!found) this.unread.push(raw.seq)
    else if (this.#wanted.is(found)) this.found.push(found)
    return this.found.length >= this.#most
  }
}
