import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { isProven } from '../../src/analysis/verify/index.ts'
import { type Played, played } from './played.ts'
import { proofs } from './policies.ts'

interface Case {
  readonly name: string
  readonly truth: 'stuck' | 'fine'
  /** where a limit of the proof leaves it open */
  readonly proof?: 'not certain'
  readonly policy: object
  readonly clients?: readonly string[]
  /** the environment in which it is played */
  readonly env?: Readonly<Record<string, string>>
  readonly play?: readonly Played[]
  readonly says?: readonly string[]
}

const CASES: readonly Case[] = parse(readFileSync(join(import.meta.dirname, 'cases-by-class.yaml'), 'utf8'))

describe('policies by class', () => {
  it.each(CASES)('$name', async ({ truth, proof, policy, clients, env, play, says }) => {
    const text = stringify(policy)
    if (play) expect(await played(text, play, env)).toEqual(says)
    const result = proofs(text, clients)
    expect(isProven(result)).toBe(truth === 'fine' && proof === undefined)
    if (proof) expect(result.findings).toEqual([])
  })

  it('half of them get an agent stuck', () => {
    const stuck = CASES.filter(one => one.truth === 'stuck').length
    expect(Math.abs(stuck / CASES.length - 0.5)).toBeLessThan(0.15)
  })
})
