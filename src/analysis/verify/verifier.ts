import type { Gate } from '../../engine/index.ts'
import { hasConcurrentScenarios } from './abstraction/concurrency.ts'
import { gatesReadBy, hasSuggestions, isStatefulGate, rulesOf } from './abstraction/condition-atoms.ts'
import type { ConeOfInfluence } from './abstraction/cone-of-influence.ts'
import type { AnalysisContext } from './analysis-context.ts'
import { isPromptedLike, mergeObligations, type Obligation, type Property } from './obligation.ts'
import { endObligations } from './properties/ending/end-obligations.ts'
import { openingProperties, promptOpeningObligations } from './properties/gate-opening.ts'
import { reportUntriedClosings } from './properties/inconclusive.ts'
import { findGateClosedToSubagents, findGateNobodyCanOpen } from './properties/missing-guidance.ts'
import { coneOfPromptedAction } from './properties/prompts/prompt-conflict.ts'
import { findRefusedPermission } from './properties/refused-permission.ts'
import type { RuleCoverage } from './properties/rule-coverage/rule-coverage.ts'
import { findIneffectiveSuggestions } from './properties/suggestions/ineffective-suggestion.ts'
import { reportRefusedSuggestion } from './properties/suggestions/refused-suggestion.ts'
import { hasSafeSuggestions, suggestedActions } from './properties/suggestions/safe-suggestions.ts'
import { SuggestionChecker } from './properties/suggestions/suggestion-checker.ts'
import { findTotalBlocks, lastingBlockObligations } from './properties/total-block.ts'
import { reportUnexploredConcurrency } from './properties/unexplored.ts'
import {
  findGuardedActions,
  findUnreachableAction,
  gatesAwaitedBy,
  reportUnreachableAction,
} from './properties/unreachable-action.ts'
import { noteUnrepairableGate } from './properties/unrepairable-gate.ts'
import { findUnrunnableScript } from './properties/unrunnable-script.ts'
import { isUnexploredFinding, type VerificationFinding } from './report/finding.ts'
import { OpeningStrategies } from './strategies/opening-strategy.ts'
import type { AgentAction } from './system/agent-action.ts'
import type { StateNode } from './system/reachability-graph.ts'
import type { StateTransition, SystemStep } from './system/step.ts'

/** Bound on states when several gates are explored together only to record which rules fire. */
const MAX_COVERAGE_STATES = 200

/** Verifies all properties for one client profile. */
export class Verifier {
  readonly context: AnalysisContext
  readonly findings: VerificationFinding[] = []
  readonly notes: string[] = []
  cutDepth: number | undefined
  readonly #gates: readonly Gate[]
  readonly #coverage: RuleCoverage
  readonly #strategies: OpeningStrategies

  constructor(context: AnalysisContext, gates: readonly Gate[], coverage: RuleCoverage) {
    this.context = context
    this.#gates = gates
    this.#coverage = coverage
    this.#strategies = new OpeningStrategies(context)
  }

  run(): void {
    const obligations = this.#obligations()
    const isOpen = ({ properties, hasSafeSuggestions }: Obligation): boolean =>
      properties.length > 0 || !hasSafeSuggestions
    const skipped = this.#verifyAll(obligations.filter(isOpen))
    this.#verifyGuardedActions()
    this.#verifyEndsWithoutApproval()
    // rule coverage is complete from the profile without a main agent type
    if (this.context.profile.mainType !== undefined) return
    for (const { cone } of mergeObligations([...obligations.filter(obligation => !isOpen(obligation)), ...skipped]))
      this.#recordCoverage(cone)
    // report deadlocks first; a total block is then only a consequence
    if (!this.#hasDeadlock()) this.findings.push(...findTotalBlocks(this.context))
    if (!this.#hasDeadlock()) this.#verifyAll(lastingBlockObligations(this.context))
    for (const gate of this.#gates) {
      this.findings.push(...findGateNobodyCanOpen(this.context, gate), ...findGateClosedToSubagents(this.context, gate))
      this.notes.push(...noteUnrepairableGate(this.context, gate))
    }
    const deadlockedGates = new Set(this.findings.map(finding => finding.gate))
    for (const gate of this.#gates)
      if (!deadlockedGates.has(gate.id))
        this.findings.push(
          ...findRefusedPermission(this.context, gate),
          ...findIneffectiveSuggestions(this.context, gate),
          ...findUnrunnableScript(this.context, gate),
        )
    this.context.evaluateStateless(
      this.#gates.filter(
        gate => !isStatefulGate(gate) && rulesOf(gate).some(rule => !this.#coverage.hasFired(gate.id, rule.id)),
      ),
      result => this.#coverage.record(result),
    )
  }

  /**
   * A session without an approval has to end, too: what the sessions of `signalbox orchestrate` do opens none of its own gates. They
   * share those with `scope: project`.
   */
  #verifyEndsWithoutApproval(): void {
    const context = this.findings.some(({ kind }) => kind === 'cannot-end') ? undefined : this.context.withoutApproval()
    if (!context) return
    const own = new Verifier(context, this.#gates, this.#coverage)
    const isShared = ({ cone }: Obligation): boolean => [...cone.gates].some(({ scope }) => scope === 'project')
    own.#verifyAll(endObligations(context, own.#strategies).filter(obligation => !isShared(obligation)))
    this.findings.push(...own.findings)
    this.context.cost += context.cost
    this.cutDepth = own.cutDepth ?? this.cutDepth
  }

  /** Once the budget is spent, nothing more is explored. */
  #isBudgetSpent(): boolean {
    if (this.context.isBudgetSpent) this.cutDepth = 0
    return this.context.isBudgetSpent
  }

  #hasDeadlock(): boolean {
    return this.findings.some(finding => finding.kind === 'cannot-end' || finding.kind === 'deadlock')
  }

  /** Explores small cones first: their results may already prove the properties of larger cones, which are then skipped. */
  #verifyAll(obligations: readonly Obligation[]): readonly Obligation[] {
    const skipped: Obligation[] = []
    const left = [...obligations].sort((a, b) => a.cone.gates.size - b.cone.gates.size)
    for (let next = left.shift(); next; next = left.shift()) {
      const { gates } = next.cone
      const isAlike = ({ cone }: Obligation): boolean =>
        isPromptedLike(cone, next.cone) &&
        cone.gates.size === gates.size &&
        [...gates].every(gate => cone.gates.has(gate))
      const alike = [next, ...left.filter(isAlike)]
      for (const obligation of alike.slice(1)) left.splice(left.indexOf(obligation), 1)
      const open = alike.flatMap(obligation => {
        const properties = obligation.properties.filter(property => !property.isProven?.())
        if (properties.length > 0 || !obligation.hasSafeSuggestions) return [{ ...obligation, properties }]
        skipped.push(obligation)
        return []
      })
      for (const obligation of mergeObligations(open)) this.#verify(obligation)
    }
    return skipped
  }

  #obligations(): readonly Obligation[] {
    const { dependencies } = this.context
    const relevant = this.#gates.filter(gate => isStatefulGate(gate) || hasSuggestions(gate))
    const gates = relevant.map(gate => ({
      ...{ properties: openingProperties(this.context, this.#strategies, gate), merged: [] },
      ...(hasSafeSuggestions(this.context, gate)
        ? { cone: dependencies.cone([gate], []), hasSafeSuggestions: true }
        : { cone: dependencies.cone([gate], suggestedActions(this.context, gate)), hasSafeSuggestions: false }),
    }))
    return [
      ...gates,
      ...this.#gates.flatMap(gate => promptOpeningObligations(this.context, gate)),
      ...endObligations(this.context, this.#strategies),
    ]
  }

  /** Can every action that closed gates refuse be done at some time? Actions that wait for a deadlocked gate are already reported. */
  #verifyGuardedActions(): void {
    const obligations: Obligation[] = []
    const deadlockedGates = new Set(this.findings.filter(({ kind }) => kind === 'deadlock').map(({ gate }) => gate))
    const isReported = (action: AgentAction): boolean =>
      gatesAwaitedBy(this.context, action).some(gate => deadlockedGates.has(gate.id))
    for (const action of findGuardedActions(this.context)) {
      // a strategy lets a person open a gate in any state, without a prompt that closes another gate
      const prompted = coneOfPromptedAction(this.context, action)
      if (isReported(action) || (!prompted && this.#strategies.canBePermitted(action))) continue
      if (this.#isBudgetSpent()) return
      const { isProven, ...property } = this.#actionReachability(action)
      obligations.push({
        ...{ cone: prompted ?? this.context.dependencies.cone([], [action]), hasSafeSuggestions: true, merged: [] },
        properties: [prompted ? property : { ...property, isProven }],
      })
    }
    this.#verifyAll(obligations)
  }

  #actionReachability(action: AgentAction): Property & Required<Pick<Property, 'isProven'>> {
    return {
      isProven: () => this.#strategies.canBePermitted(action),
      findViolation: explored => findUnreachableAction(this.context, explored, action),
      report: (transitions, at) => {
        const found = reportUnreachableAction(this.context, action, transitions, at)
        // one counterexample for each gate is enough
        return this.findings.some(finding => finding.gate === found?.gate && finding.kind === 'deadlock')
          ? undefined
          : found
      },
    }
  }

  /** Records which rules fire, until all of them have fired. If that takes too many states, explores gate by gate. */
  #recordCoverage(cone: ConeOfInfluence): void {
    const onTransition = (_: StateNode, transition: StateTransition): void => {
      for (const result of transition.results) this.#coverage.record(result)
    }
    const gates = [...cone.gates]
    const isDone = (): boolean =>
      gates.every(gate => rulesOf(gate).every(rule => this.#coverage.hasMattered(gate.id, rule.id)))
    // all rules are covered: count the initial state only
    if (isDone()) {
      this.context.countInitialState()
      return
    }
    const { graph } = this.context.explore(cone, onTransition, { states: MAX_COVERAGE_STATES, isDone })
    if (graph.cutDepth === undefined || isDone()) return
    for (const gate of gates) {
      const alone = { gates: new Set([gate, ...gatesReadBy(gate, this.context.program)]), actions: new Map() }
      const { graph: small } = this.context.explore(alone, onTransition, {})
      if (small.cutDepth !== undefined) this.cutDepth = Math.min(this.cutDepth ?? Infinity, small.cutDepth)
    }
  }

  /** Explores a cone. Each counterexample is replayed with every gate in force; a gate that refuses one of its steps joins the cone. */
  #verify({ cone: first, properties }: Obligation): void {
    if (this.#isBudgetSpent()) return
    let cone = first
    const before = this.findings.length
    for (let round = 0; round <= this.context.program.gates.length; round++) {
      const suggestions = new SuggestionChecker(this.context.parser)
      const explored = this.context.explore(cone, (node, transition, system) => {
        for (const result of transition.results) this.#coverage.record(result)
        suggestions.check(node, transition, system)
      })
      if (explored.graph.cutDepth !== undefined)
        this.cutDepth = Math.min(this.cutDepth ?? Infinity, explored.graph.cutDepth)
      const violations = properties.flatMap(property => {
        const node = property.findViolation(explored)
        return node ? [{ steps: explored.graph.pathTo(node), report: property.report }] : []
      })
      const refusedSuggestions = suggestions.refused.map(suggestion => ({
        steps: [...explored.graph.pathTo(suggestion.node), suggestion.step],
        report: (transitions: readonly StateTransition[], at: StateTransition['to']) =>
          reportRefusedSuggestion(this.context, suggestion, transitions, at),
      }))
      const refusers = [...violations, ...refusedSuggestions].flatMap(({ steps, report }) =>
        this.#confirm(steps, report),
      )
      const newGates = refusers.filter(gate => !cone.gates.has(gate))
      if (newGates.length === 0) {
        if (properties.length > 0 && violations.length === 0)
          this.findings.push(...reportUntriedClosings(this.context, cone.gates))
        const isFullyExplored = explored.graph.cutDepth === undefined
        const isComplete =
          isFullyExplored &&
          this.#verifyConcurrent(
            cone,
            violations.length > 0 ? properties.filter(property => !property.findViolation(explored)) : properties,
          )
        // no counterexample was found; scenarios that were not tried are already reported, also for gates that depend on this one
        if (isComplete && this.findings.slice(before).every(isUnexploredFinding))
          for (const property of properties) property.onProven?.(cone)
        return
      }
      cone = { ...cone, ...this.context.dependencies.cone([...cone.gates, ...newGates], [...cone.actions.values()]) }
    }
  }

  /** Repeats the exploration with concurrency: lines with several actions, calls that overlap, a second session. */
  #verifyConcurrent(first: ConeOfInfluence, properties: readonly Property[]): boolean {
    let cone = first
    for (let round = 0; properties.length > 0 && round <= this.context.program.gates.length; round++) {
      const scenarios = this.context.concurrentScenarios(cone.gates)
      if (!hasConcurrentScenarios(scenarios)) return true
      const explored = this.context.explore(cone, () => undefined, {}, scenarios)
      const { cutDepth } = explored.graph
      if (cutDepth !== undefined) this.cutDepth = Math.min(this.cutDepth ?? Infinity, cutDepth)
      const violations = properties.flatMap(property => {
        const node = property.findViolation(explored)
        return node ? [{ steps: explored.graph.pathTo(node), report: property.report }] : []
      })
      const refusers = violations.flatMap(({ steps, report }) =>
        this.#confirm(steps, (transitions, at) => {
          const finding = report(transitions, at)
          return finding && { ...finding, concurrent: true }
        }),
      )
      const newGates = refusers.filter(gate => !cone.gates.has(gate))
      if (newGates.length === 0) {
        if (violations.length === 0)
          this.findings.push(...reportUnexploredConcurrency(this.context, [...cone.gates], scenarios))
        return cutDepth === undefined
      }
      cone = { ...cone, ...this.context.dependencies.cone([...cone.gates, ...newGates], [...cone.actions.values()]) }
    }
    return true
  }

  /** Reports the finding if the counterexample holds with every gate in force; else returns the gates missing from the cone. */
  #confirm(
    steps: readonly SystemStep[],
    report: (transitions: readonly StateTransition[], at: StateTransition['to']) => VerificationFinding | undefined,
  ): readonly Gate[] {
    const { moves: transitions, at, lost, isReplayed: holds } = this.context.replay(steps)
    if (!holds) return lost ? [lost] : this.context.program.gates.filter(gate => gate.initial !== undefined)
    const found = report(transitions, at)
    if (found) this.findings.push(found)
    return []
  }
}
