import type { EvaluationResult, Program } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'

const STRICTNESS_ORDER = ['none', 'warn', 'allow', 'ask', 'deny']

/** Which rules were ever heard, and which of them ever made a difference. */
export class RuleCoverage {
  readonly #heard = new Set<string>()
  readonly #mattered = new Set<string>()
  readonly #over = new Map<string, string>()

  hear({ record }: EvaluationResult): void {
    for (const { gate, rule, effect, says, unsure } of record.matches) {
      const key = `${gate} ${rule}`
      this.#heard.add(key)
      if (this.#mattered.has(key)) continue
      // of what cannot be told everybody speaks: that is no difference one of them makes
      if (unsure && record.matches.length > 1) continue
      const rank = STRICTNESS_ORDER.indexOf(effect)
      const stricter = record.matches.find(one => STRICTNESS_ORDER.indexOf(one.effect) > rank && one.effect !== 'warn')
      if (says === 'deny' || effect === 'none' || !stricter) this.#mattered.add(key)
      else this.#over.set(key, `${stricter.gate} ${stricter.rule}`)
    }
  }

  /** It was heard, and it made a difference: more is not to be learned of it. */
  isTold = (gate: string, rule: string): boolean => this.#mattered.has(`${gate} ${rule}`)

  isHeard = (gate: string, rule: string): boolean => this.#heard.has(`${gate} ${rule}`)

  /** The rule that always spoke louder. */
  shadowOf(gate: string, rule: string, { gates }: Program): { readonly name: string; readonly at: string } | undefined {
    const key = `${gate} ${rule}`
    const over = this.#mattered.has(key) ? undefined : this.#over.get(key)
    for (const one of over === undefined ? [] : gates)
      for (const other of rulesOf(one))
        if (`${one.id} ${other.id}` === over) return { name: `${one.name}/${other.id}`, at: other.at ?? '' }
    return undefined
  }
}
