/** The same number gives the same choices. */
export class Chance {
  #seed: number
  constructor(seed: number) {
    this.#seed = seed >>> 0
  }
  /** mulberry32 */
  number(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) >>> 0
    let t = this.#seed
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  is(share: number): boolean {
    return this.number() < share
  }
  of<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.number() * list.length)] ?? list[0]
  }
}
