import { AnalysisContext } from '../analysis-context.ts'
import { RuleCoverage } from '../properties/rule-coverage.ts'
import type { Fix, VerificationFinding } from '../report/finding.ts'
import { isSameFault } from '../report/merge-findings.ts'
import { Verifier } from '../verifier.ts'
import { prepareVerification, type VerificationInput, verifyPolicy } from '../verify-policy.ts'
import { applyEdit, humanOpensAdvice, isFromPack, mergeRuleFixes, type PolicyEdit } from './policy-edit.ts'
import { VacuityCheck } from './vacuity-check.ts'

/** Policies that are tried for all the advice on one, and events that are judged for it. */
const MAX_TRIED_POLICIES = 10
const MAX_EVENTS = 12_000
/** … and for what else would be found with it. */
const MAX_WHOLE_POLICY_EVENTS = 60_000
/** Changes that one piece of advice may take. */
const MAX_COMBINED_FIXES = 3

/** Advice that was tried: the policy is proven again with it, as far as the finding goes. What does not mend it is not told. */
export class FixSearch {
  readonly #input: VerificationInput
  #tries = MAX_TRIED_POLICIES
  #events = MAX_EVENTS
  #whole = MAX_WHOLE_POLICY_EVENTS
  readonly #known: readonly VerificationFinding[]
  #said: VacuityCheck | undefined
  readonly #news = new Map<string, readonly VerificationFinding[]>()
  readonly #rests = new Map<string, VerificationFinding | undefined>()
  /** what mends each of those that were tried by now: these changes together */
  readonly #mending = new Map<string, readonly (readonly Fix[])[]>()

  /** `known`: what is found without any of it. */
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

  /** What was not tried may still be told, but for what takes all that a rule is there for. */
  #untried(finding: VerificationFinding): VerificationFinding {
    const fix = finding.fix.filter(({ mend }) => mend === undefined || this.#leavesSay([mend]))
    return { ...finding, fix: (fix.length > 0 ? fix : this.#otherwise(finding)).map(withoutEdit), untried: true }
  }

  /** Does every rule that they exempt something from still have something to say to some call? */
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

  /** Where a turn cannot end because a gate is stuck, what opens the gate again is the fix: to let the turn end leaves the gate stuck. */
  #shared(finding: VerificationFinding): readonly Fix[] {
    const { kind, gate } = finding
    const stuck = this.#known.filter(one => kind === 'held' && one.kind === 'deadlock' && one.gate === gate)
    const each = stuck.flatMap(one => this.#mending.get(one.what) ?? [])
    const mends = (fixes: readonly Fix[]): readonly PolicyEdit[] => fixes.flatMap(one => one.mend ?? [])
    return mergeRuleFixes(each.find(fixes => this.#mends(finding, mends(fixes))) ?? []).map(toFollowUpFix)
  }

  /** What would leave a rule with nothing to refuse is no fix: it takes the protection away. */
  #tellable(finding: VerificationFinding, fix: Fix): readonly Fix[] {
    const { mend } = fix
    return mend === undefined || this.#mends(finding, [mend]) ? [fix] : []
  }

  /** Nothing that was thought of mends it: a person can always be asked. */
  #otherwise({ kind, gate: id }: VerificationFinding): readonly Fix[] {
    const gate = this.#input.policy.gates.find(one => one.id === id)
    const at = gate?.transitions.find(one => one.to === 'open')?.at ?? gate?.at
    if (!gate || kind !== 'deadlock' || at === undefined || isFromPack(at)) return []
    return [{ at, advice: `open it by something an agent can do here, ${humanOpensAdvice(gate)}` }]
  }

  /** Where one is not enough: what has to be changed beside it, as the proof then says. */
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

  /** What was found last may do alone. */
  #fewest(finding: VerificationFinding, fixes: readonly Fix[]): readonly Fix[] {
    const alone = fixes.slice(1).find(({ mend }) => mend && this.#mends(finding, [mend]))
    return alone ? [alone] : fixes
  }

  /** One memory, which a person opens; of agents' own ones that is not certain. */
  #isPersons(mend: PolicyEdit, gate: string | undefined): boolean {
    const found = this.#input.policy.gates.find(one => one.id === gate)
    return 'opens' in mend && mend.gate === gate && found?.scope !== 'agent'
  }

  #mends(finding: VerificationFinding, mends: readonly PolicyEdit[]): boolean {
    return this.#leavesSay(mends) && !this.#rest(finding, mends) && this.#isHarmless(mends)
  }

  /** Does the whole policy then have no fault that it did not have before? What is not known is no. */
  #isHarmless(mends: readonly PolicyEdit[]): boolean {
    const key = JSON.stringify(mends)
    const known = this.#news.get(key)
    if (known !== undefined || this.#isSpent) return known?.length === 0
    const policy = mends.reduce(applyEdit, this.#input.policy)
    const { progress: _, ...input } = this.#input
    const bounds = { ...input.bounds, events: this.#whole }
    const { findings, doubts, events, complete } = verifyPolicy({ ...input, policy, bounds, isToday: true })
    this.#whole -= complete ? events : this.#whole
    // a person's gate has to say so: the advice says that, too
    const isSaid = ({ kind }: VerificationFinding): boolean => kind === 'silent' && mends.some(mend => 'opens' in mend)
    const isKnown = (one: VerificationFinding): boolean => this.#known.some(other => isSameOrNarrower(one, other))
    const news = [...findings, ...doubts].filter(one => !isSaid(one) && !isKnown(one))
    this.#news.set(key, news)
    return news.length === 0
  }

  /** The finding as it still is with these, on any of the clients it was on; undefined where it is gone, or where that takes too long to find out. */
  #rest(finding: VerificationFinding, mends: readonly PolicyEdit[]): VerificationFinding | undefined {
    const key = JSON.stringify([finding.kind, finding.what, finding.on, mends])
    if (!this.#rests.has(key)) this.#rests.set(key, this.#looked(finding, mends))
    return this.#rests.get(key)
  }

  #looked(
    { kind, gate, others = [], what, on }: VerificationFinding,
    mends: readonly PolicyEdit[],
  ): VerificationFinding | undefined {
    // of what people open an agent is never said to be stuck at it
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

/** The same fault, and on no client that it was not on before. */
const isSameOrNarrower = (one: VerificationFinding, other: VerificationFinding): boolean =>
  one.kind === other.kind &&
  isSameFault(one.what, other.what) &&
  (other.on.length === 0 || (one.on.length > 0 && one.on.every(id => other.on.includes(id))))

const withoutEdit = ({ mend: _, passes: __, ...fix }: Fix): Fix => fix

const toFollowUpFix = ({ mend: _, passes: __, ...fix }: Fix, nth: number): Fix =>
  nth === 0 ? fix : { ...fix, advice: `and ${fix.advice.replace(/^or /, '')}` }
