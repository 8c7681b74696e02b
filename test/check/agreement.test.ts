import { expect, it } from 'vitest'
import { policyOf } from './generator.ts'
import { simulate } from './simulator.ts'
import { PROFILES, proofOfDoc, verdictOf } from './small.ts'

/** The same ones for everybody. `npm run test:proof` takes 10,000; `PROOF_FIRST=1000000` others. */
const MANY = Number(process.env.PROOF_POLICIES ?? 60)
const FIRST = Number(process.env.PROOF_FIRST ?? 0)

it(`the proof and a brute-force simulator agree on ${MANY} random policies`, { timeout: 36_000_000 }, () => {
  let locked = 0
  for (let seed = FIRST; seed < FIRST + MANY; seed++) {
    const [client = '', profile] = Object.entries(PROFILES)[seed % 2] ?? []
    if (!profile) throw new Error('no profile')
    const doc = policyOf(seed)
    const { states: _, ...simulated } = simulate(doc, profile)
    const wanted = { ...simulated, stuck: [...simulated.stuck].sort() }
    expect(verdictOf(proofOfDoc(doc, client)), `policy ${seed} on ${client}`).toEqual(wanted)
    if (wanted.stuck.length > 0 || wanted.turn || wanted.agent) locked++
  }
  // some of each, or the agreement says little
  expect(locked).toBeGreaterThan(MANY / 10)
  expect(MANY - locked).toBeGreaterThan(MANY / 10)
})
