import type { Program } from '../../../engine/index.ts'
import { atomsOfGate } from '../abstraction/condition-atoms.ts'

/**
 * Waiting times of one step: every duration that a gate names. With several gates there is also a shorter step, because one
 * timer may expire while another is half way: the greatest common divisor of the durations, divided by the number of gates.
 * Nothing shorter can distinguish the order of the timers.
 */
export function waitDurations({ gates }: Program): readonly number[] {
  const named = gates
    .map(gate =>
      atomsOfGate(gate).flatMap(atom =>
        atom.key === 'since'
          ? atom.counters.flatMap(counter => (counter.unit === 'seconds' ? counter.atLeast : []))
          : [],
      ),
    )
    .filter(each => each.length > 0)
  const all = [...new Set(named.flat())].filter(one => one > 0).sort((a, b) => a - b)
  if (named.length < 2 || all.length === 0) return all
  return [...new Set([...all, all.reduce(greatestCommonDivisor) / named.length])]
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))
