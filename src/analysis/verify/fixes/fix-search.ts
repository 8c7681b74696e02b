import { AnalysisContext } from '../analysis-context.ts'
import { RuleCoverage } from '../properties/rule-coverage.ts'
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
  #whole = MAX_WHOLE_POLICY_EVENTS
  readonly #known: readonly VerificationFinding[]
  #said: VacuityCheck | undefined
  readonly #news = new Map<string, readonly VerificationFinding[]>()
  readonly #rests = new Map<string, VerificationFinding | undefined>()
  /** edits that remove each finding tried so far; each inner list has to be applied together */
  readonly #mending = new Map<string, readonly (readonly Fix[])[]>()

  /** `known`: the findings of the unedited policy. */
  constructor(input: VerificationInput, known: readonly VerificationFinding[]) {
    this.#input = input
    this.#known = known
  }

  get #isSpent(): boolean {
    return this.#tries <= 0 || this.#events <= 0 || this.#whole <= 0
  }

  tried(finding: VerificationFinding): VerificationFinding {
    if (this.#isSpent) return this.#untried(finding)
    const told = this.#told(finding)
    return this.#isSpent ? this.#untried(finding) : told
  }

  /** Unverified fixes are still reported, except edits that leave a rule nothing to match. */
  #untried(finding: VerificationFinding): VerificationFinding {
    const fix = finding.fix.filter(({ mend }) => mend === undefined || this.#leavesSay([mend]))
    return { ...finding, fix: (fix.length > 0 ? fix : this.#otherwise(finding)).map(withoutEdit), untried: true }
  }

  /** Does every rule with a new exemption still match some call? */
  #leavesSay(mends: readonly PolicyEdit[]): boolean {
    this.#said ??= new VacuityCheck(this.#input)
    return this.#said.isLeft(mends)
  }

  #told(finding: VerificationFinding): VerificationFinding {
    const shared = this.#shared(finding)
    if (shared.length > 0) return { ...finding, fix: shared }
    const tellable = finding.fix.flatMap(fix => this.#tellable(finding, fix))
    const tried = tellable.filter(one => one.mend !== undefined)
    const all = tried.length > 0 ? [] : this.#together(finding)
    const fix = all.length > 0 ? mergeRuleFixes(all).map(toFollowUpFix) : tellable
    if (finding.kind === 'deadlock') this.#mending.set(finding.what, all.length > 0 ? [all] : tried.map(one => [one]))
    return { ...finding, fix: (fix.length > 0 ? fix : this.#otherwise(finding)).map(withoutEdit) }
  }

  /** If a turn cannot end because a gate is deadlocked, the fix is to open the gate: letting the turn end would leave it deadlocked. */
  #shared(finding: VerificationFinding): readonly Fix[] {
    const { kind, gate } = finding
    const stuck = this.#known.filter(one => kind === 'held' && one.kind === 'deadlock' && one.gate === gate)
    const each = stuck.flatMap(one => this.#mending.get(one.what) ?? [])
    const mends = (fixes: readonly Fix[]): readonly PolicyEdit[] => fixes.flatMap(one => one.mend ?? [])
    return mergeRuleFixes(each.find(fixes => this.#mends(finding, mends(fixes))) ?? []).map(toFollowUpFix)
  }

  /** Drops edits that do not remove the finding, or that leave a rule nothing to refuse: these would remove its protection. */
  #tellable(finding: VerificationFinding, fix: Fix): readonly Fix[] {
    const { mend } = fix
    return mend === undefined || this.#mends(finding, [mend]) ? [fix] : []
  }

  /** No edit removes the finding. A person can always open the gate. */
  #otherwise({ kind, gate: id }: VerificationFinding): readonly Fix[] {
    const gate = this.#input.policy.gates.find(one => one.id === id)
    const at = gate?.transitions.find(one => one.to === 'open')?.at ?? gate?.at
    if (!gate || kind !== 'deadlock' || at === undefined || isFromPack(at)) return []
    return [{ at, advice: `open it by something an agent can do here, ${humanOpensAdvice(gate)}` }]
  }

  /** If one edit is not enough, adds edits from the finding that remains. */
  #together(finding: VerificationFinding): readonly Fix[] {
    for (const first of finding.fix) {
      const fixes = [first]
      while (fixes.length <= MAX_COMBINED_FIXES && fixes.every(one => one.mend !== undefined)) {
        const mends = fixes.flatMap(one => one.mend ?? [])
        const rest = this.#rest(finding, mends)
        if (!rest) return this.#leavesSay(mends) && this.#isHarmless(mends) ? this.#fewest(finding, fixes) : []
        const known = new Set(mends.map(one => JSON.stringify(one)))
        const next = rest.fix.find(({ mend }) => mend !== undefined && !known.has(JSON.stringify(mend)))
        if (!next) break
        fixes.push(next)
      }
    }
    return []
  }

  /** The last edit may be enough alone. */
  #fewest(finding: VerificationFinding, fixes: readonly Fix[]): readonly Fix[] {
    const alone = fixes.slice(1).find(({ mend }) => mend && this.#mends(finding, [mend]))
    return alone ? [alone] : fixes
  }

  /** Lets a person open the gate. For `scope: agent` gates it is not certain that this helps. */
  #isPersons(mend: PolicyEdit, gate: string | undefined): boolean {
    const found = this.#input.policy.gates.find(one => one.id === gate)
    return 'opens' in mend && mend.gate === gate && found?.scope !== 'agent'
  }

  #mends(finding: VerificationFinding, mends: readonly PolicyEdit[]): boolean {
    return this.#leavesSay(mends) && !this.#rest(finding, mends) && this.#isHarmless(mends)
  }

  /** Does the edited policy have no new finding? If that is not known: false. */
  #isHarmless(mends: readonly PolicyEdit[]): boolean {
    const key = JSON.stringify(mends)
    const known = this.#news.get(key)
    if (known !== undefined || this.#isSpent) return known?.length === 0
    const policy = mends.reduce(applyEdit, this.#input.policy)
    const { progress: _, ...input } = this.#input
    const bounds = { ...input.bounds, events: this.#whole }
    const { findings, doubts, events, complete } = verifyPolicy({ ...input, policy, bounds, isToday: true })
    this.#whole -= complete ? events : this.#whole
    // an `opens: human` gate has to say so in its message; the advice mentions that
    const isSaid = ({ kind }: VerificationFinding): boolean => kind === 'silent' && mends.some(mend => 'opens' in mend)
    const isKnown = (one: VerificationFinding): boolean => this.#known.some(other => isSameOrNarrower(one, other))
    const news = [...findings, ...doubts].filter(one => !isSaid(one) && !isKnown(one))
    this.#news.set(key, news)
    return news.length === 0
  }

  /** The finding that remains after the edits, on any of its clients. Undefined: it is gone, or the budget is spent. */
  #rest(finding: VerificationFinding, mends: readonly PolicyEdit[]): VerificationFinding | undefined {
    const key = JSON.stringify([finding.kind, finding.what, finding.on, mends])
    if (!this.#rests.has(key)) this.#rests.set(key, this.#looked(finding, mends))
    return this.#rests.get(key)
  }

  #looked(
    { kind, gate, others = [], what, on }: VerificationFinding,
    mends: readonly PolicyEdit[],
  ): VerificationFinding | undefined {
    // no deadlock is reported for a gate that people open
    if (this.#isSpent || (kind === 'deadlock' && mends.some(one => this.#isPersons(one, gate)))) return undefined
    this.#tries--
    const policy = mends.reduce(applyEdit, this.#input.policy)
    const clients = this.#input.clients.filter(one => on.length === 0 || on.includes(one.id))
    const { ground, gates, views } = prepareVerification({ ...this.#input, policy, clients })
    const isMeant = (id: string | undefined): boolean => id === gate || (id !== undefined && others.includes(id))
    const asked = kind === 'held' ? [] : gates.filter(one => isMeant(one.id))
    for (const view of views) {
      if (this.#isSpent) return undefined
      const bounds = { ...ground.bounds, events: this.#events }
      const prover = new Verifier(new AnalysisContext({ ...ground, bounds }, view), asked, new RuleCoverage())
      prover.run()
      this.#events -= prover.inquiry.events
      const rest = prover.findings.find(
        one => one.kind === kind && isMeant(one.gate) && (kind !== 'suggestion' || isSameFault(one.what, what)),
      )
      if (rest) return rest
    }
    return undefined
  }
}

/** The same fault, on no additional client. */
const isSameOrNarrower = (one: VerificationFinding, other: VerificationFinding): boolean =>
  one.kind === other.kind &&
  isSameFault(one.what, other.what) &&
  (other.on.length === 0 || (one.on.length > 0 && one.on.every(id => other.on.includes(id))))

const withoutEdit = ({ mend: _, passes: __, ...fix }: Fix): Fix => fix

const toFollowUpFix = ({ mend: _, passes: __, ...fix }: Fix, nth: number): Fix =>
  nth === 0 ? fix : { ...fix, advice: `and ${fix.advice.replace(/^or /, '')}` }
