import type { Rule } from '../core/index.ts'
import { rulesOf } from './atom.ts'
import { type Deed, mayFire } from './deed.ts'
import { Inquiry } from './inquiry.ts'
import { type Mend, withMend } from './mending.ts'
import type { Oracle } from './possible.ts'
import { footingOf, type ProofInput } from './prove.ts'

interface Tried {
  readonly oracle: Oracle
  readonly deeds: readonly Deed[]
}

/** An exemption that leaves a rule nothing to speak of takes its protection away: that is no advice. */
export class LastSay {
  readonly #input: ProofInput
  readonly #known = new Map<string, boolean>()
  #tried: Tried | undefined

  constructor(input: ProofInput) {
    this.#input = input
  }

  /** Is something left to each rule that these exempt something from? */
  isLeft(mends: readonly Mend[]): boolean {
    const exempting = mends.filter(mend => 'unless' in mend)
    if (exempting.length === 0) return true
    const key = JSON.stringify(exempting)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { gates } = exempting.reduce(withMend, this.#input.policy)
    const isLeft = exempting.every(mend => {
      const gate = gates.find(one => one.id === mend.gate)
      const rule = gate && rulesOf(gate).find(one => one.id === mend.rule)
      return !rule || this.#speaks(rule)
    })
    this.#known.set(key, isLeft)
    return isLeft
  }

  #speaks(rule: Rule): boolean {
    this.#tried ??= this.#triedOn()
    const { oracle, deeds } = this.#tried
    return deeds.some(({ events, call }) =>
      events.some(event => {
        const { sure, unsure } = mayFire(rule, event, oracle, call?.approved)
        return sure || unsure
      }),
    )
  }

  /** Everything that anybody may do, on every kind of client. What no gate tells apart now may be told apart by the exemption. */
  #triedOn(): Tried {
    const { ground, views } = footingOf(this.#input)
    return { oracle: ground.oracle, deeds: views.flatMap(view => new Inquiry(ground, view).field.deeds) }
  }
}
