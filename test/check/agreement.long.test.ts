import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type Comparison, compare, isUnproven, locksOf } from './comparison.ts'
import type { Doc } from './doc.ts'
import { policyOf, THEMES, themeOf } from './generator.ts'
import { PROFILES } from './small.ts'
import { smallest } from './smaller.ts'

/** The same ones for everybody. `npm run test:proof` takes 10,000; `PROOF_FIRST=1000000` others. */
const MANY = Number(process.env.PROOF_POLICIES ?? 60)
const FIRST = Number(process.env.PROOF_FIRST ?? 0)
/** `PROOF_THEME=rivals`: only those of the range that are about it. */
const THEME = process.env.PROOF_THEME
/** Where there are more states than this nothing is compared. */
const MOST_STATES = MANY > 200 ? 1000 : 330

it(`the proof and a brute-force simulator agree on ${MANY} random policies`, { timeout: 36_000_000 }, () => {
  const tally = new Tally()
  const differing: Differing[] = []
  for (let seed = FIRST; seed < FIRST + MANY; seed++) {
    if (THEME !== undefined && themeOf(seed) !== THEME) continue
    const client = Object.keys(PROFILES)[seed % 2] ?? ''
    const doc = policyOf(seed)
    const comparison = compare(doc, client, MOST_STATES)
    if (comparison.differences.length > 0) differing.push({ seed, doc, client, comparison })
    tally.add(themeOf(seed), comparison)
  }
  process.stdout.write(`${tally.text()}\n`)
  const [first] = differing
  // all of them by a line, so that one run shows everything
  if (first) expect.fail([...differing.map(lineOf), storyOf(first)].join('\n'))
  // some of each, or the agreement says little
  if (THEME === undefined) expect(tally.shares()).toEqual({ tooFew: [], tooMany: [] })
})

/** A policy about which they do not agree. */
interface Differing {
  readonly seed: number
  readonly doc: Doc
  readonly client: string
  readonly comparison: Comparison
}

const lineOf = ({ seed, client, comparison }: Differing): string =>
  `policy ${seed} on ${client}: ${comparison.differences.join('; ')}`

/** The smallest policy about which they differ in the same way. */
function storyOf({ doc, client, comparison }: Differing): string {
  const [kind = ''] = comparison.differences.map(one => one.slice(one.indexOf(': ')))
  const isSo = (one: Doc): boolean => compare(one, client, MOST_STATES).differences.some(other => other.endsWith(kind))
  return `The smallest policy like the first:\n${stringify(smallest(doc, isSo))}`
}

/** What the policies were like. */
class Tally {
  readonly #counts = new Map<string, number>()

  add(theme: string, { proof, simulation }: Comparison): void {
    const isLocked = locksOf(simulation).length > 0
    const isBad = isLocked || simulation.barred || simulation.misleading.length > 0
    const is: Readonly<Record<string, boolean>> = {
      all: true,
      [`about ${theme}`]: true,
      deadlock: isLocked,
      'deadlock of three steps or more': isLocked && simulation.depth >= 3,
      'deadlock by several things at once': isLocked && simulation.isByAtOnce,
      livelock: (simulation.barred || simulation.isBarredInTurn) && !isLocked,
      misleading: simulation.misleading.length > 0,
      sound: !isBad && !isUnproven(proof),
      'not proven': isUnproven(proof),
      'too many states': simulation.isCut,
    }
    for (const [name, so] of Object.entries(is)) this.#counts.set(name, this.#of(name) + Number(so))
  }

  #of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  #share(name: string): number {
    return this.#of(name) / this.#of('all')
  }

  /**
   * Of the 60 and the 10,000, which are always the same ones, the share itself. Other ranges are samples: where the share holds
   * in the long run, n policies are off by three deviations in 1 of 700 samples.
   */
  #sampleError(share: number): number {
    const all = this.#of('all')
    const isSample = FIRST !== 0 || (all !== 60 && all !== 10_000)
    return isSample ? 3 * Math.sqrt((share * (1 - share)) / all) : 0
  }

  shares(): { readonly tooFew: readonly string[]; readonly tooMany: readonly string[] } {
    const few = [...Object.entries(LEAST), ...THEMES.map(theme => [`about ${theme}`, 0.05] as const)]
    return {
      tooFew: few.flatMap(([name, least]) => (this.#share(name) < least - this.#sampleError(least) ? name : [])),
      tooMany: Object.entries(MOST).flatMap(([name, most]) =>
        this.#share(name) > most + this.#sampleError(most) ? name : [],
      ),
    }
  }

  text(): string {
    const each = [...this.#counts].filter(([name]) => !name.startsWith('about ') && name !== 'all')
    return each.map(([name, count]) => `${name} ${count} (${(this.#share(name) * 100).toFixed(1)} %)`).join(', ')
  }
}

const LEAST: Readonly<Record<string, number>> = {
  ...{
    deadlock: 0.15,
    'deadlock of three steps or more': MANY > 200 ? 0.03 : 0.015,
    'deadlock by several things at once': 0.005,
  },
  ...{ livelock: 0.02, misleading: 0.1, sound: 0.2 },
}
const MOST: Readonly<Record<string, number>> = { 'not proven': 0.05, 'too many states': MANY > 200 ? 0.1 : 0.25 }
