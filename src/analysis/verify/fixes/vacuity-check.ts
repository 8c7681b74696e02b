import type { Rule } from '../../../engine/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { AnalysisContext } from '../analysis-context.ts'
import type { PolicyEdit } from '../report/finding.ts'
import { type AgentAction, mayRuleFire } from '../system/agent-action.ts'
import { prepareVerification, type VerificationInput } from '../verify-policy.ts'
import { applyEdit } from './policy-edit.ts'

interface CandidateActions {
  readonly mayMust: MayMustEvaluator
  readonly actions: readonly AgentAction[]
}

/** Rejects exemptions that leave a rule nothing to match, because they would remove its protection. */
export class VacuityCheck {
  readonly #input: VerificationInput
  readonly #known = new Map<string, boolean>()
  #candidates: CandidateActions | undefined

  constructor(input: VerificationInput) {
    this.#input = input
  }

  /** Does every rule that these edits exempt something from still match some action? */
  keepsRulesEffective(edits: readonly PolicyEdit[]): boolean {
    const exempting = edits.filter(edit => 'unless' in edit)
    if (exempting.length === 0) return true
    const key = JSON.stringify(exempting)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { gates } = exempting.reduce(applyEdit, this.#input.policy)
    const isLeft = exempting.every(edit => {
      const gate = gates.find(gate => gate.id === edit.gate)
      const rule = gate && rulesOf(gate).find(rule => rule.id === edit.rule)
      return !rule || this.#mayFire(rule)
    })
    this.#known.set(key, isLeft)
    return isLeft
  }

  #mayFire(rule: Rule): boolean {
    this.#candidates ??= this.#createCandidates()
    const { mayMust, actions } = this.#candidates
    return actions.some(({ events, call }) =>
      events.some(event => {
        const { sure, unsure } = mayRuleFire(rule, event, mayMust, call?.isApproved)
        return sure || unsure
      }),
    )
  }

  /** All actions on all clients, without equivalence classes: the new exemption may distinguish calls that no gate distinguishes yet. */
  #createCandidates(): CandidateActions {
    const { inputs, profiles } = prepareVerification(this.#input)
    return {
      mayMust: inputs.mayMust,
      actions: profiles.flatMap(profile => new AnalysisContext(inputs, profile).dependencies.actions),
    }
  }
}
