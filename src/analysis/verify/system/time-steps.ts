import type { Program } from '../../../engine/index.ts'
import { atomsOfGate } from '../abstraction/condition-atoms.ts'

/**
 * How long may be waited in one step: each length that a gate waits for. The clocks of two gates run apart as well: one
 * may be due while the other is half way. `n` clocks that are asked for multiples of one length are told apart by its
 * `n`th part, and by nothing shorter.
 */
export function waitDurations({ gates }: Program): readonly number[] {
  const named = gates
    .map(gate =>
      atomsOfGate(gate).flatMap(atom =>
        atom.key === 'since' ? atom.counters.flatMap(one => (one.unit === 'seconds' ? one.atLeast : [])) : [],
      ),
    )
    .filter(each => each.length > 0)
  const all = [...new Set(named.flat())].filter(one => one > 0).sort((a, b) => a - b)
  if (named.length < 2 || all.length === 0) return all
  return [...new Set([...all, all.reduce(greatestCommonDivisor) / named.length])]
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))
