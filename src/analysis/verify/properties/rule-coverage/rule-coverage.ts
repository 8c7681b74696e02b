import type { EvaluationResult, Program } from '../../../../engine/index.ts'
import { rulesOf } from '../../abstraction/condition-atoms.ts'

const STRICTNESS_ORDER = ['none', 'warn', 'allow', 'ask', 'deny']

/** Records which rules ever fired, and which of them ever changed the outcome. */
export class RuleCoverage {
  readonly #fired = new Set<string>()
  readonly #mattered = new Set<string>()
  readonly #shadows = new Map<string, string>()

  record({ record }: EvaluationResult): void {
    for (const { gate, rule, effect, decision, unsure } of record.matches) {
      const key = `${gate} ${rule}`
      this.#fired.add(key)
      if (this.#mattered.has(key)) continue
      // several rules fire on an unknown condition, so no single rule makes the difference
      if (unsure && record.matches.length > 1) continue
      const rank = STRICTNESS_ORDER.indexOf(effect)
      const stricter = record.matches.find(
        match => STRICTNESS_ORDER.indexOf(match.effect) > rank && match.effect !== 'warn',
      )
      if (decision === 'deny' || effect === 'none' || !stricter) this.#mattered.add(key)
      else this.#shadows.set(key, `${stricter.gate} ${stricter.rule}`)
    }
  }

  /** The rule fired and changed an outcome, so nothing more has to be observed. */
  hasMattered = (gate: string, rule: string): boolean => this.#mattered.has(`${gate} ${rule}`)

  hasFired = (gate: string, rule: string): boolean => this.#fired.has(`${gate} ${rule}`)

  /** The stricter rule that decided whenever this rule fired. */
  shadowOf(gate: string, rule: string, { gates }: Program): { readonly name: string; readonly at: string } | undefined {
    const key = `${gate} ${rule}`
    const shadow = this.#mattered.has(key) ? undefined : this.#shadows.get(key)
    for (const gate of shadow === undefined ? [] : gates)
      for (const other of rulesOf(gate))
        if (`${gate.id} ${other.id}` === shadow) return { name: `${gate.name}/${other.id}`, at: other.at ?? '' }
    return undefined
  }
}
