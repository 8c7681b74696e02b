/** Numbers that are the same again for the same seed. */
export function newRandom(seed) {
  let state = (Math.imul(seed, 2_654_435_761) ^ 0x9e3779b9) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
  const below = count => Math.floor(next() * count)
  return { below, chance: share => next() < share, pick: list => list[below(list.length)] }
}
