import type { Gate } from '../../engine/index.ts'
import { hasConcurrentScenarios } from './abstraction/concurrency.ts'
import { gatesReadBy, hasSuggestions, isStatefulGate, rulesOf } from './abstraction/condition-atoms.ts'
import { type ConeOfInfluence, TURN_END_ACTION } from './abstraction/cone-of-influence.ts'
import type { AnalysisContext } from './analysis-context.ts'
import { mergeObligations, type Obligation, type Property } from './obligation.ts'
import { findUnendableAgent, findUnendableTurn, reportUnendable } from './properties/deadlock.ts'
import { openingProperties, promptOpeningObligations } from './properties/gate-opening.ts'
import { reportUntriedClosings } from './properties/inconclusive.ts'
import { findUnanswerableGate } from './properties/missing-guidance.ts'
import { findRefusedPermission } from './properties/refused-permission.ts'
import type { RuleCoverage } from './properties/rule-coverage.ts'
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

  constructor(inquiry: AnalysisContext, gates: readonly Gate[], spoken: RuleCoverage) {
    this.context = inquiry
    this.#gates = gates
    this.#coverage = spoken
    this.#strategies = new OpeningStrategies(inquiry)
  }

  run(): void {
    const tasks = this.#obligations()
    const isOpen = ({ properties, hasSafeSuggestions }: Obligation): boolean =>
      properties.length > 0 || !hasSafeSuggestions
    const unseen = this.#verifyAll(tasks.filter(isOpen))
    this.#verifyGuardedActions()
    // rule coverage is complete from the profile without a main agent type
    if (this.context.profile.mainType !== undefined) return
    for (const { cone } of mergeObligations([...tasks.filter(task => !isOpen(task)), ...unseen]))
      this.#recordCoverage(cone)
    // report deadlocks first; a total block is then only a consequence
    if (!this.#hasDeadlock()) this.findings.push(...findTotalBlocks(this.context))
    if (!this.#hasDeadlock()) this.#verifyAll(lastingBlockObligations(this.context))
    for (const gate of this.#gates) {
      this.findings.push(...findUnanswerableGate(this.context, gate))
      this.notes.push(...noteUnrepairableGate(this.context, gate))
    }
    const stuck = new Set(this.findings.map(one => one.gate))
    for (const gate of this.#gates)
      if (!stuck.has(gate.id))
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

  /** Where the bound is reached nothing is left to look at. */
  #isBudgetSpent(): boolean {
    if (this.context.isBudgetSpent) this.cutDepth = 0
    return this.context.isBudgetSpent
  }

  #hasDeadlock(): boolean {
    return this.findings.some(one => one.kind === 'held' || one.kind === 'deadlock')
  }

  /** Explores small cones first: their results may already prove the properties of larger cones, which are then skipped. */
  #verifyAll(tasks: readonly Obligation[]): readonly Obligation[] {
    const unseen: Obligation[] = []
    const left = [...tasks].sort((a, b) => a.cone.gates.size - b.cone.gates.size)
    for (let next = left.shift(); next; next = left.shift()) {
      const { gates } = next.cone
      const isAlike = ({ cone }: Obligation): boolean =>
        cone.promptedGate === next.cone.promptedGate &&
        cone.gates.size === gates.size &&
        [...gates].every(one => cone.gates.has(one))
      const together = [next, ...left.filter(isAlike)]
      for (const one of together.slice(1)) left.splice(left.indexOf(one), 1)
      const open = together.flatMap(task => {
        const claims = task.properties.filter(claim => !claim.isProven?.())
        if (claims.length > 0 || !task.hasSafeSuggestions) return [{ ...task, properties: claims }]
        unseen.push(task)
        return []
      })
      for (const task of mergeObligations(open)) this.#verify(task)
    }
    return unseen
  }

  #obligations(): readonly Obligation[] {
    const { dependencies, profile } = this.context
    const asked = this.#gates.filter(gate => isStatefulGate(gate) || hasSuggestions(gate))
    const gates = asked.map(gate => ({
      ...{ properties: openingProperties(this.context, this.#strategies, gate), merged: [] },
      ...(hasSafeSuggestions(this.context, gate)
        ? { cone: dependencies.cone([gate], []), hasSafeSuggestions: true }
        : { cone: dependencies.cone([gate], suggestedActions(this.context, gate)), hasSafeSuggestions: false }),
    }))
    const stops = dependencies.actions.filter(deed => deed.events[0]?.kind === 'agent.stop')
    const isHeld = (deed: AgentAction): boolean => dependencies.refusers(deed).length > 0
    const ends = (deed: AgentAction): boolean => this.#strategies.canEnd(deed)
    const turn: Property = {
      isProven: () => ends(TURN_END_ACTION),
      findViolation: findUnendableTurn,
      report: (moves, at) => reportUnendable(this.context, TURN_END_ACTION, moves, at),
    }
    return [
      ...gates,
      ...this.#gates.flatMap(gate => promptOpeningObligations(this.context, gate)),
      ...(profile.sendsEvent('turn.stop') && isHeld(TURN_END_ACTION)
        ? [
            {
              cone: dependencies.cone([], [TURN_END_ACTION]),
              properties: this.#unproven(ends(TURN_END_ACTION), turn),
              hasSafeSuggestions: true,
              merged: [],
            },
          ]
        : []),
      ...(stops.some(isHeld)
        ? [
            {
              ...{ cone: dependencies.cone([], stops), hasSafeSuggestions: true, merged: [] },
              properties: this.#unproven(stops.every(ends), this.#canEnd(stops)),
            },
          ]
        : []),
    ]
  }

  /** Can every action that closed gates refuse be done at some time? Actions that wait for a deadlocked gate are already reported. */
  #verifyGuardedActions(): void {
    const tasks: Obligation[] = []
    const stuck = new Set(this.findings.filter(({ kind }) => kind === 'deadlock').map(({ gate }) => gate))
    const isTold = (deed: AgentAction): boolean => gatesAwaitedBy(this.context, deed).some(gate => stuck.has(gate.id))
    for (const deed of findGuardedActions(this.context)) {
      if (isTold(deed) || this.#strategies.canBePermitted(deed)) continue
      if (this.#isBudgetSpent()) return
      const cone = this.context.dependencies.cone([], [deed])
      tasks.push({ cone, hasSafeSuggestions: true, merged: [], properties: [this.#actionReachability(deed)] })
    }
    this.#verifyAll(tasks)
  }

  #actionReachability(deed: AgentAction): Property {
    return {
      isProven: () => this.#strategies.canBePermitted(deed),
      findViolation: explored => findUnreachableAction(this.context, explored, deed),
      report: (moves, at) => {
        const found = reportUnreachableAction(this.context, deed, moves, at)
        // one counterexample for each gate is enough
        return this.findings.some(one => one.gate === found?.gate && one.kind === 'deadlock') ? undefined : found
      },
    }
  }

  /** A property that a strategy proves in every state need not be explored. */
  #unproven(holds: boolean, claim: Property): readonly Property[] {
    return holds ? [] : [claim]
  }

  /** Records which rules fire, until all of them have fired. If that takes too many states, explores gate by gate. */
  #recordCoverage(cone: ConeOfInfluence): void {
    const heard = (_: StateNode, move: StateTransition): void => {
      for (const result of move.results) this.#coverage.record(result)
    }
    const gates = [...cone.gates]
    const isDone = (): boolean =>
      gates.every(gate => rulesOf(gate).every(rule => this.#coverage.hasMattered(gate.id, rule.id)))
    // all rules are covered: count the initial state only
    if (isDone()) {
      this.context.countInitialState()
      return
    }
    const { graph } = this.context.explore(cone, heard, { states: MAX_COVERAGE_STATES, isDone })
    if (graph.cutDepth === undefined || isDone()) return
    for (const gate of gates) {
      const alone = { gates: new Set([gate, ...gatesReadBy(gate, this.context.program)]), actions: new Map() }
      const { graph: small } = this.context.explore(alone, heard, {})
      if (small.cutDepth !== undefined) this.cutDepth = Math.min(this.cutDepth ?? Infinity, small.cutDepth)
    }
  }

  #canEnd(stops: readonly AgentAction[]): Property {
    return {
      isProven: () => stops.every(deed => this.#strategies.canEnd(deed)),
      findViolation: findUnendableAgent,
      report: (moves, at) =>
        reportUnendable(
          this.context,
          stops.find(deed => deed.actor === at.liveAgent?.type) ?? TURN_END_ACTION,
          moves,
          at,
        ),
    }
  }

  /** Explores a cone. Each counterexample is replayed with every gate in force; a gate that refuses one of its steps joins the cone. */
  #verify({ cone: first, properties }: Obligation): void {
    if (this.#isBudgetSpent()) return
    let cone = first
    const before = this.findings.length
    for (let round = 0; round <= this.context.program.gates.length; round++) {
      const advising = new SuggestionChecker(this.context.parser)
      const explored = this.context.explore(cone, (node, move, world) => {
        for (const result of move.results) this.#coverage.record(result)
        advising.check(node, move, world)
      })
      if (explored.graph.cutDepth !== undefined)
        this.cutDepth = Math.min(this.cutDepth ?? Infinity, explored.graph.cutDepth)
      const failed = properties.flatMap(claim => {
        const node = claim.findViolation(explored)
        return node ? [{ steps: explored.graph.pathTo(node), tell: claim.report }] : []
      })
      const advice = advising.refused.map(one => ({
        steps: [...explored.graph.pathTo(one.node), one.step],
        tell: (moves: readonly StateTransition[], at: StateTransition['to']) =>
          reportRefusedSuggestion(this.context, one, moves, at),
      }))
      const more = [...failed, ...advice].flatMap(({ steps, tell }) => this.#confirm(steps, tell))
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (properties.length > 0 && failed.length === 0)
          this.findings.push(...reportUntriedClosings(this.context, cone.gates))
        const isWhole = explored.graph.cutDepth === undefined
        const isSeen =
          isWhole &&
          this.#verifyConcurrent(
            cone,
            failed.length > 0 ? properties.filter(one => !one.findViolation(explored)) : properties,
          )
        // no counterexample was found; scenarios that were not tried are already reported, also for gates that depend on this one
        if (isSeen && this.findings.slice(before).every(isUnexploredFinding))
          for (const claim of properties) claim.onProven?.(cone)
        return
      }
      cone = { ...cone, ...this.context.dependencies.cone([...cone.gates, ...grown], [...cone.actions.values()]) }
    }
  }

  /** Repeats the exploration with concurrency: lines with several actions, calls that overlap, a second session. */
  #verifyConcurrent(first: ConeOfInfluence, claims: readonly Property[]): boolean {
    let cone = first
    for (let round = 0; claims.length > 0 && round <= this.context.program.gates.length; round++) {
      const together = this.context.concurrentScenarios(cone.gates)
      if (!hasConcurrentScenarios(together)) return true
      const explored = this.context.explore(cone, () => undefined, {}, together)
      const { cutDepth } = explored.graph
      if (cutDepth !== undefined) this.cutDepth = Math.min(this.cutDepth ?? Infinity, cutDepth)
      const failed = claims.flatMap(claim => {
        const node = claim.findViolation(explored)
        return node ? [{ steps: explored.graph.pathTo(node), tell: claim.report }] : []
      })
      const more = failed.flatMap(({ steps, tell }) =>
        this.#confirm(steps, (moves, at) => {
          const one = tell(moves, at)
          return one && { ...one, atOnce: true }
        }),
      )
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (failed.length === 0)
          this.findings.push(...reportUnexploredConcurrency(this.context, [...cone.gates], together))
        return cutDepth === undefined
      }
      cone = { ...cone, ...this.context.dependencies.cone([...cone.gates, ...grown], [...cone.actions.values()]) }
    }
    return true
  }

  /** Reports the finding if the counterexample holds with every gate in force; else returns the gates missing from the cone. */
  #confirm(
    steps: readonly SystemStep[],
    tell: (moves: readonly StateTransition[], at: StateTransition['to']) => VerificationFinding | undefined,
  ): readonly Gate[] {
    const { moves, at, lost, isReplayed: holds } = this.context.replay(steps)
    if (!holds) return lost ? [lost] : this.context.program.gates.filter(gate => gate.initial !== undefined)
    const found = tell(moves, at)
    if (found) this.findings.push(found)
    return []
  }
}
