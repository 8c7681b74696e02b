import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isProven } from '../../../src/analysis/verify/index.ts'
import { proofOf, withPolicies } from '../ground.ts'
import { found } from '../policies.ts'

/** The least of so many: what else the machine does, and what V8 compiles meanwhile, is not the proof's. */
const TIMES = 10
const MOST_SECONDS = 2

/** Plain gates of a shop; agents with gates of their own, a router that is asked for every prompt, and clocks. */
const PROJECTS = ['shop.yaml', 'house.yaml']

it.each(PROJECTS)(
  'twenty gates of a real project are proven on every agent within two seconds of work, most of it without looking at states: %s',
  file => {
    withPolicies((load, root) => {
      const policy = load(readFileSync(join(import.meta.dirname, file), 'utf8'))
      const took: number[] = []
      for (let nth = 0; nth < TIMES && !took.some(one => one < MOST_SECONDS); nth++) {
        const began = process.cpuUsage()
        const proof = proofOf(policy, root)
        const { user, system } = process.cpuUsage(began)
        took.push((user + system) / 1e6)
        expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
        expect(isProven(proof)).toBe(true)
        expect(proof.events).toBeLessThan(3000)
      }
      expect(Math.min(...took)).toBeLessThan(MOST_SECONDS)
    })
  },
)
