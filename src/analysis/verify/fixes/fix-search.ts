import { AnalysisContext } from '../analysis-context.ts'
import { RuleCoverage } from '../properties/rule-coverage/rule-coverage.ts'
import type { Fix, PolicyEdit, VerificationFinding } from '../report/finding.ts'
import { isSameFault } from '../report/merge-findings.ts'
import { Verifier } from '../verifier.ts'
import { prepareVerification, type VerificationInput, verifyPolicy } from '../verify-policy.ts'
import { applyEdit, humanOpensAdvice, isFromPack, mergeRuleFixes } from './policy-edit.ts'
import { VacuityCheck } from './vacuity-check.ts'

/** Bounds for all fixes of one policy: edited policies tried, and events evaluated for them. */
const MAX_TRIED_POLICIES = 10
const MAX_EVENTS = 12_000
/** Bound on events for verifying the whole edited policy. */
const MAX_WHOLE_POLICY_EVENTS = 60_000
/** Edits that one fix may combine. */
const MAX_COMBINED_FIXES = 3

/** Verifies fixes: applies each edit and searches for the finding again. Edits that do not remove it are dropped. */
export class FixSearch {
  readonly #input: VerificationInput
  #tries = MAX_TRIED_POLICIES
  #events = MAX_EVENTS
  #wholePolicyEvents = MAX_WHOLE_POLICY_EVENTS
  readonly #known: readonly VerificationFinding[]
  #vacuity: VacuityCheck | undefined
  readonly #newFindings = new Map<string, readonly VerificationFinding[]>()
  readonly #remainingFindings = new Map<string, VerificationFinding | undefined>()
  /** edits that remove each finding tried so far; each inner list has to be applied together */
  readonly #effectiveFixes = new Map<string, readonly (readonly Fix[])[]>()

  /** `known`: the findings of the unedited policy. */
  constructor(input: VerificationInput, known: readonly VerificationFinding[]) {
    this.#input = input
    this.#known = known
  }

  get #isBudgetSpent(): boolean {
    return this.#tries <= 0 || this.#events <= 0 || this.#wholePolicyEvents <= 0
  }

  verifyFixes(finding: VerificationFinding): VerificationFinding {
    if (this.#isBudgetSpent) return this.#unverified(finding)
    const verified = this.#verified(finding)
    return this.#isBudgetSpent ? this.#unverified(finding) : verified
  }

  /** Unverified fixes are still reported, except edits that leave a rule nothing to match. */
  #unverified(finding: VerificationFinding): VerificationFinding {
    const fix = finding.fix.filter(({ edit }) => edit === undefined || this.#keepsRulesEffective([edit]))
    return {
      ...finding,
      fix: (fix.length > 0 ? fix : this.#fallbackFixes(finding)).map(withoutEdit),
      fixUnverified: true,
    }
  }

  /** Does every rule with a new exemption still match some call? */
  #keepsRulesEffective(edits: readonly PolicyEdit[]): boolean {
    this.#vacuity ??= new VacuityCheck(this.#input)
    return this.#vacuity.keepsRulesEffective(edits)
  }

  #verified(finding: VerificationFinding): VerificationFinding {
    const shared = this.#fixesOfDeadlock(finding)
    if (shared.length > 0) return { ...finding, fix: shared }
    const effective = finding.fix.flatMap(fix => this.#effectiveOnly(finding, fix))
    const tried = effective.filter(fix => fix.edit !== undefined)
    const all = tried.length > 0 ? [] : this.#combineEdits(finding)
    const fix = all.length > 0 ? mergeRuleFixes(all).map(toFollowUpFix) : effective
    if (finding.kind === 'deadlock')
      this.#effectiveFixes.set(finding.what, all.length > 0 ? [all] : tried.map(fix => [fix]))
    return { ...finding, fix: (fix.length > 0 ? fix : this.#fallbackFixes(finding)).map(withoutEdit) }
  }

  /** If a turn cannot end because a gate is deadlocked, the fix is to open the gate: letting the turn end would leave it deadlocked. */
  #fixesOfDeadlock(finding: VerificationFinding): readonly Fix[] {
    const { kind, gate } = finding
    const deadlocked = this.#known.filter(
      finding => kind === 'cannot-end' && finding.kind === 'deadlock' && finding.gate === gate,
    )
    const each = deadlocked.flatMap(finding => this.#effectiveFixes.get(finding.what) ?? [])
    const edits = (fixes: readonly Fix[]): readonly PolicyEdit[] => fixes.flatMap(fix => fix.edit ?? [])
    return mergeRuleFixes(each.find(fixes => this.#isFixedBy(finding, edits(fixes))) ?? []).map(toFollowUpFix)
  }

  /** Drops edits that do not remove the finding, or that leave a rule nothing to refuse: these would remove its protection. */
  #effectiveOnly(finding: VerificationFinding, fix: Fix): readonly Fix[] {
    const { edit } = fix
    return edit === undefined || this.#isFixedBy(finding, [edit]) ? [fix] : []
  }

  /** No edit removes the finding. A person can always open the gate. */
  #fallbackFixes({ kind, gate: id }: VerificationFinding): readonly Fix[] {
    const gate = this.#input.policy.gates.find(gate => gate.id === id)
    const at = gate?.transitions.find(transition => transition.to === 'open')?.at ?? gate?.at
    if (!gate || kind !== 'deadlock' || at === undefined || isFromPack(at)) return []
    return [{ at, advice: `open it with something an agent can do here, ${humanOpensAdvice(gate)}` }]
  }

  /** If one edit is not enough, adds edits from the finding that remains. */
  #combineEdits(finding: VerificationFinding): readonly Fix[] {
    for (const first of finding.fix) {
      const fixes = [first]
      while (fixes.length <= MAX_COMBINED_FIXES && fixes.every(fix => fix.edit !== undefined)) {
        const edits = fixes.flatMap(fix => fix.edit ?? [])
        const rest = this.#remainingFinding(finding, edits)
        if (!rest)
          return this.#keepsRulesEffective(edits) && this.#isHarmless(edits) ? this.#fewestEdits(finding, fixes) : []
        const known = new Set(edits.map(edit => JSON.stringify(edit)))
        const next = rest.fix.find(({ edit }) => edit !== undefined && !known.has(JSON.stringify(edit)))
        if (!next) break
        fixes.push(next)
      }
    }
    return []
  }

  /** The last edit may be enough alone. */
  #fewestEdits(finding: VerificationFinding, fixes: readonly Fix[]): readonly Fix[] {
    const single = fixes.slice(1).find(({ edit }) => edit && this.#isFixedBy(finding, [edit]))
    return single ? [single] : fixes
  }

  /** Lets a person open the gate. For `scope: agent` gates it is not certain that this helps. */
  #letsPersonOpen(edit: PolicyEdit, gate: string | undefined): boolean {
    const found = this.#input.policy.gates.find(other => other.id === gate)
    return 'opens' in edit && edit.gate === gate && found?.scope !== 'agent'
  }

  #isFixedBy(finding: VerificationFinding, edits: readonly PolicyEdit[]): boolean {
    return this.#keepsRulesEffective(edits) && !this.#remainingFinding(finding, edits) && this.#isHarmless(edits)
  }

  /** Does the edited policy have no new finding? If that is not known: false. */
  #isHarmless(edits: readonly PolicyEdit[]): boolean {
    const key = JSON.stringify(edits)
    const known = this.#newFindings.get(key)
    if (known !== undefined || this.#isBudgetSpent) return known?.length === 0
    const policy = edits.reduce(applyEdit, this.#input.policy)
    const { progress: _, ...input } = this.#input
    const bounds = { ...input.bounds, events: this.#wholePolicyEvents }
    const { findings, inconclusive, events, complete } = verifyPolicy({
      ...input,
      policy,
      bounds,
      isCurrentModesOnly: true,
    })
    this.#wholePolicyEvents -= complete ? events : this.#wholePolicyEvents
    // an `opens: human` gate has to say so in its message; the advice mentions that
    const isAnnounced = ({ kind }: VerificationFinding): boolean =>
      kind === 'no-guidance' && edits.some(edit => 'opens' in edit)
    const isKnown = (finding: VerificationFinding): boolean =>
      this.#known.some(other => isSameOrNarrower(finding, other))
    const added = [...findings, ...inconclusive].filter(finding => !isAnnounced(finding) && !isKnown(finding))
    this.#newFindings.set(key, added)
    return added.length === 0
  }

  /** The finding that remains after the edits, on any of its clients. Undefined: it is gone, or the budget is spent. */
  #remainingFinding(finding: VerificationFinding, edits: readonly PolicyEdit[]): VerificationFinding | undefined {
    const key = JSON.stringify([finding.kind, finding.what, finding.clients, edits])
    if (!this.#remainingFindings.has(key)) this.#remainingFindings.set(key, this.#verifyAgain(finding, edits))
    return this.#remainingFindings.get(key)
  }

  #verifyAgain(
    { kind, gate, otherGates = [], what, clients: on }: VerificationFinding,
    edits: readonly PolicyEdit[],
  ): VerificationFinding | undefined {
    // no deadlock is reported for a gate that people open
    if (this.#isBudgetSpent || (kind === 'deadlock' && edits.some(edit => this.#letsPersonOpen(edit, gate))))
      return undefined
    this.#tries--
    const policy = edits.reduce(applyEdit, this.#input.policy)
    const clients = this.#input.clients.filter(client => on.length === 0 || on.includes(client.id))
    const { inputs, gates, profiles } = prepareVerification({ ...this.#input, policy, clients })
    const isMeant = (id: string | undefined): boolean => id === gate || (id !== undefined && otherGates.includes(id))
    const gatesToVerify = kind === 'cannot-end' ? [] : gates.filter(gate => isMeant(gate.id))
    for (const profile of profiles) {
      if (this.#isBudgetSpent) return undefined
      const bounds = { ...inputs.bounds, events: this.#events }
      const verifier = new Verifier(
        new AnalysisContext({ ...inputs, bounds }, profile),
        gatesToVerify,
        new RuleCoverage(),
      )
      verifier.run()
      this.#events -= verifier.context.events
      const rest = verifier.findings.find(
        finding =>
          finding.kind === kind && isMeant(finding.gate) && (kind !== 'misleading' || isSameFault(finding.what, what)),
      )
      if (rest) return rest
    }
    return undefined
  }
}

/** The same fault, on no additional client. */
const isSameOrNarrower = (finding: VerificationFinding, other: VerificationFinding): boolean =>
  finding.kind === other.kind &&
  isSameFault(finding.what, other.what) &&
  (other.clients.length === 0 ||
    (finding.clients.length > 0 && finding.clients.every(id => other.clients.includes(id))))

const withoutEdit = ({ edit: _, exemption: __, ...fix }: Fix): Fix => fix

const toFollowUpFix = ({ edit: _, exemption: __, ...fix }: Fix, nth: number): Fix =>
  nth === 0 ? fix : { ...fix, advice: `and ${fix.advice.replace(/^or /, '')}` }
