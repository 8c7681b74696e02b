import { describe, expect, it } from 'vitest'
import { mixedGates, SIZED } from '../../bench/sized-policies.ts'
import { isProven } from '../../src/analysis/verify/index.ts'
import { proofOf, withPolicies } from './ground.ts'

/** The least of so many: what else the machine does, and what V8 compiles meanwhile, is not the proof's. */
const TIMES = 8

describe('large policies are proven on every agent in a few seconds of work', () => {
  it.each(SIZED)('%s', (_, text, seconds) => {
    withPolicies((load, root) => {
      const policy = load(text)
      const took: number[] = []
      for (let nth = 0; nth < TIMES && !took.some(one => one < seconds); nth++) {
        const began = process.cpuUsage()
        expect(isProven(proofOf(policy, root))).toBe(true)
        const { user, system } = process.cpuUsage(began)
        took.push((user + system) / 1e6)
      }
      expect(Math.min(...took)).toBeLessThan(seconds)
    })
  })
})

it('100 gates of five kinds end in bounded time, and it is told how far it is', { timeout: 600_000 }, () => {
  withPolicies((load, root) => {
    const policy = load(mixedGates(100))
    const told: string[] = []
    const began = process.cpuUsage()
    const { findings, complete } = proofOf(policy, root, { progress: what => told.push(what) })
    const { user, system } = process.cpuUsage(began)
    expect({ findings, isLate: user + system > 60e6 }).toEqual({ findings: [], isLate: false })
    expect(complete || told.length > 100).toBe(true)
  })
})
