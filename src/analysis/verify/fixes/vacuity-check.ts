import type { Rule } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { AnalysisContext } from '../analysis-context.ts'
import { type AgentAction, mayRuleFire } from '../system/agent-action.ts'
import { prepareVerification, type VerificationInput } from '../verify-policy.ts'
import { applyEdit, type PolicyEdit } from './policy-edit.ts'

interface CandidateActions {
  readonly oracle: MayMustEvaluator
  readonly deeds: readonly AgentAction[]
}

/** An exemption that leaves a rule nothing to speak of takes its protection away: that is no advice. */
export class VacuityCheck {
  readonly #input: VerificationInput
  readonly #known = new Map<string, boolean>()
  #tried: CandidateActions | undefined

  constructor(input: VerificationInput) {
    this.#input = input
  }

  /** Is something left to each rule that these exempt something from? */
  isLeft(mends: readonly PolicyEdit[]): boolean {
    const exempting = mends.filter(mend => 'unless' in mend)
    if (exempting.length === 0) return true
    const key = JSON.stringify(exempting)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { gates } = exempting.reduce(applyEdit, this.#input.policy)
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
        const { sure, unsure } = mayRuleFire(rule, event, oracle, call?.approved)
        return sure || unsure
      }),
    )
  }

  /** Everything that anybody may do, on every kind of client. What no gate tells apart now may be told apart by the exemption. */
  #triedOn(): CandidateActions {
    const { ground, views } = prepareVerification(this.#input)
    return { oracle: ground.oracle, deeds: views.flatMap(view => new AnalysisContext(ground, view).field.deeds) }
  }
}
