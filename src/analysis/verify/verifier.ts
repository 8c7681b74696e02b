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
  readonly inquiry: AnalysisContext
  readonly findings: VerificationFinding[] = []
  readonly notes: string[] = []
  cutAt: number | undefined
  readonly #gates: readonly Gate[]
  readonly #spoken: RuleCoverage
  readonly #ways: OpeningStrategies

  constructor(inquiry: AnalysisContext, gates: readonly Gate[], spoken: RuleCoverage) {
    this.inquiry = inquiry
    this.#gates = gates
    this.#spoken = spoken
    this.#ways = new OpeningStrategies(inquiry)
  }

  run(): void {
    const tasks = this.#tasks()
    const isOpen = ({ claims, isPlain }: Obligation): boolean => claims.length > 0 || !isPlain
    const unseen = this.#lookAtAll(tasks.filter(isOpen))
    this.#lookForBarred()
    // rule coverage is complete from the profile without a main agent type
    if (this.inquiry.view.mainType !== undefined) return
    for (const { cone } of mergeObligations([...tasks.filter(task => !isOpen(task)), ...unseen])) this.#listen(cone)
    // report deadlocks first; a total block is then only a consequence
    if (!this.#isStuck()) this.findings.push(...findTotalBlocks(this.inquiry))
    if (!this.#isStuck()) this.#lookAtAll(lastingBlockObligations(this.inquiry))
    for (const gate of this.#gates) {
      this.findings.push(...findUnanswerableGate(this.inquiry, gate))
      this.notes.push(...noteUnrepairableGate(this.inquiry, gate))
    }
    const stuck = new Set(this.findings.map(one => one.gate))
    for (const gate of this.#gates)
      if (!stuck.has(gate.id))
        this.findings.push(
          ...findRefusedPermission(this.inquiry, gate),
          ...findIneffectiveSuggestions(this.inquiry, gate),
          ...findUnrunnableScript(this.inquiry, gate),
        )
    this.inquiry.listen(
      this.#gates.filter(
        gate => !isStatefulGate(gate) && rulesOf(gate).some(rule => !this.#spoken.isHeard(gate.id, rule.id)),
      ),
      result => this.#spoken.hear(result),
    )
  }

  /** Where the bound is reached nothing is left to look at. */
  #isCut(): boolean {
    if (this.inquiry.isSpent) this.cutAt = 0
    return this.inquiry.isSpent
  }

  #isStuck(): boolean {
    return this.findings.some(one => one.kind === 'held' || one.kind === 'deadlock')
  }

  /** Explores small cones first: their results may already prove the properties of larger cones, which are then skipped. */
  #lookAtAll(tasks: readonly Obligation[]): readonly Obligation[] {
    const unseen: Obligation[] = []
    const left = [...tasks].sort((a, b) => a.cone.gates.size - b.cone.gates.size)
    for (let next = left.shift(); next; next = left.shift()) {
      const { gates } = next.cone
      const isAlike = ({ cone }: Obligation): boolean =>
        cone.prompted === next.cone.prompted &&
        cone.gates.size === gates.size &&
        [...gates].every(one => cone.gates.has(one))
      const together = [next, ...left.filter(isAlike)]
      for (const one of together.slice(1)) left.splice(left.indexOf(one), 1)
      const open = together.flatMap(task => {
        const claims = task.claims.filter(claim => !claim.isKnown?.())
        if (claims.length > 0 || !task.isPlain) return [{ ...task, claims }]
        unseen.push(task)
        return []
      })
      for (const task of mergeObligations(open)) this.#look(task)
    }
    return unseen
  }

  #tasks(): readonly Obligation[] {
    const { field, view } = this.inquiry
    const asked = this.#gates.filter(gate => isStatefulGate(gate) || hasSuggestions(gate))
    const gates = asked.map(gate => ({
      ...{ claims: openingProperties(this.inquiry, this.#ways, gate), parts: [] },
      ...(hasSafeSuggestions(this.inquiry, gate)
        ? { cone: field.cone([gate], []), isPlain: true }
        : { cone: field.cone([gate], suggestedActions(this.inquiry, gate)), isPlain: false }),
    }))
    const stops = field.deeds.filter(deed => deed.events[0]?.kind === 'agent.stop')
    const isHeld = (deed: AgentAction): boolean => field.refusers(deed).length > 0
    const ends = (deed: AgentAction): boolean => this.#ways.ends(deed)
    const turn: Property = {
      isKnown: () => ends(TURN_END_ACTION),
      fails: findUnendableTurn,
      tell: (moves, at) => reportUnendable(this.inquiry, TURN_END_ACTION, moves, at),
    }
    return [
      ...gates,
      ...this.#gates.flatMap(gate => promptOpeningObligations(this.inquiry, gate)),
      ...(view.has('turn.stop') && isHeld(TURN_END_ACTION)
        ? [
            {
              cone: field.cone([], [TURN_END_ACTION]),
              claims: this.#unless(ends(TURN_END_ACTION), turn),
              isPlain: true,
              parts: [],
            },
          ]
        : []),
      ...(stops.some(isHeld)
        ? [
            {
              ...{ cone: field.cone([], stops), isPlain: true, parts: [] },
              claims: this.#unless(stops.every(ends), this.#ends(stops)),
            },
          ]
        : []),
    ]
  }

  /** Can every action that closed gates refuse be done at some time? Actions that wait for a deadlocked gate are already reported. */
  #lookForBarred(): void {
    const tasks: Obligation[] = []
    const stuck = new Set(this.findings.filter(({ kind }) => kind === 'deadlock').map(({ gate }) => gate))
    const isTold = (deed: AgentAction): boolean => gatesAwaitedBy(this.inquiry, deed).some(gate => stuck.has(gate.id))
    for (const deed of findGuardedActions(this.inquiry)) {
      if (isTold(deed) || this.#ways.permits(deed)) continue
      if (this.#isCut()) return
      const cone = this.inquiry.field.cone([], [deed])
      tasks.push({ cone, isPlain: true, parts: [], claims: [this.#comesToPass(deed)] })
    }
    this.#lookAtAll(tasks)
  }

  #comesToPass(deed: AgentAction): Property {
    return {
      isKnown: () => this.#ways.permits(deed),
      fails: explored => findUnreachableAction(this.inquiry, explored, deed),
      tell: (moves, at) => {
        const found = reportUnreachableAction(this.inquiry, deed, moves, at)
        // one counterexample for each gate is enough
        return this.findings.some(one => one.gate === found?.gate && one.kind === 'deadlock') ? undefined : found
      },
    }
  }

  /** A property that a strategy proves in every state need not be explored. */
  #unless(holds: boolean, claim: Property): readonly Property[] {
    return holds ? [] : [claim]
  }

  /** Records which rules fire, until all of them have fired. If that takes too many states, explores gate by gate. */
  #listen(cone: ConeOfInfluence): void {
    const heard = (_: StateNode, move: StateTransition): void => {
      for (const result of move.results) this.#spoken.hear(result)
    }
    const gates = [...cone.gates]
    const isDone = (): boolean =>
      gates.every(gate => rulesOf(gate).every(rule => this.#spoken.isTold(gate.id, rule.id)))
    // all rules are covered: count the initial state only
    if (isDone()) {
      this.inquiry.glance()
      return
    }
    const { graph } = this.inquiry.explore(cone, heard, { states: MAX_COVERAGE_STATES, isDone })
    if (graph.cutAt === undefined || isDone()) return
    for (const gate of gates) {
      const alone = { gates: new Set([gate, ...gatesReadBy(gate, this.inquiry.program)]), deeds: new Map() }
      const { graph: small } = this.inquiry.explore(alone, heard, {})
      if (small.cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, small.cutAt)
    }
  }

  #ends(stops: readonly AgentAction[]): Property {
    return {
      isKnown: () => stops.every(deed => this.#ways.ends(deed)),
      fails: findUnendableAgent,
      tell: (moves, at) =>
        reportUnendable(this.inquiry, stops.find(deed => deed.by === at.live?.type) ?? TURN_END_ACTION, moves, at),
    }
  }

  /** Explores a cone. Each counterexample is replayed with every gate in force; a gate that refuses one of its steps joins the cone. */
  #look({ cone: first, claims }: Obligation): void {
    if (this.#isCut()) return
    let cone = first
    const before = this.findings.length
    for (let round = 0; round <= this.inquiry.program.gates.length; round++) {
      const advising = new SuggestionChecker(this.inquiry.tools)
      const explored = this.inquiry.explore(cone, (node, move, world) => {
        for (const result of move.results) this.#spoken.hear(result)
        advising.hear(node, move, world)
      })
      if (explored.graph.cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, explored.graph.cutAt)
      const failed = claims.flatMap(claim => {
        const node = claim.fails(explored)
        return node ? [{ steps: explored.graph.wayTo(node), tell: claim.tell }] : []
      })
      const advice = advising.bad.map(one => ({
        steps: [...explored.graph.wayTo(one.node), one.step],
        tell: (moves: readonly StateTransition[], at: StateTransition['to']) =>
          reportRefusedSuggestion(this.inquiry, one, moves, at),
      }))
      const more = [...failed, ...advice].flatMap(({ steps, tell }) => this.#settle(steps, tell))
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (claims.length > 0 && failed.length === 0)
          this.findings.push(...reportUntriedClosings(this.inquiry, cone.gates))
        const isWhole = explored.graph.cutAt === undefined
        const isSeen =
          isWhole && this.#lookAtOnce(cone, failed.length > 0 ? claims.filter(one => !one.fails(explored)) : claims)
        // no counterexample was found; scenarios that were not tried are already reported, also for gates that depend on this one
        if (isSeen && this.findings.slice(before).every(isUnexploredFinding))
          for (const claim of claims) claim.holds?.(cone)
        return
      }
      cone = { ...cone, ...this.inquiry.field.cone([...cone.gates, ...grown], [...cone.deeds.values()]) }
    }
  }

  /** Repeats the exploration with concurrency: lines with several actions, calls that overlap, a second session. */
  #lookAtOnce(first: ConeOfInfluence, claims: readonly Property[]): boolean {
    let cone = first
    for (let round = 0; claims.length > 0 && round <= this.inquiry.program.gates.length; round++) {
      const together = this.inquiry.atOnce(cone.gates)
      if (!hasConcurrentScenarios(together)) return true
      const explored = this.inquiry.explore(cone, () => undefined, {}, together)
      const { cutAt } = explored.graph
      if (cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, cutAt)
      const failed = claims.flatMap(claim => {
        const node = claim.fails(explored)
        return node ? [{ steps: explored.graph.wayTo(node), tell: claim.tell }] : []
      })
      const more = failed.flatMap(({ steps, tell }) =>
        this.#settle(steps, (moves, at) => {
          const one = tell(moves, at)
          return one && { ...one, atOnce: true }
        }),
      )
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (failed.length === 0)
          this.findings.push(...reportUnexploredConcurrency(this.inquiry, [...cone.gates], together))
        return cutAt === undefined
      }
      cone = { ...cone, ...this.inquiry.field.cone([...cone.gates, ...grown], [...cone.deeds.values()]) }
    }
    return true
  }

  /** Reports the finding if the counterexample holds with every gate in force; else returns the gates missing from the cone. */
  #settle(
    steps: readonly SystemStep[],
    tell: (moves: readonly StateTransition[], at: StateTransition['to']) => VerificationFinding | undefined,
  ): readonly Gate[] {
    const { moves, at, lost, held: holds } = this.inquiry.confirm(steps)
    if (!holds) return lost ? [lost] : this.inquiry.program.gates.filter(gate => gate.initial !== undefined)
    const found = tell(moves, at)
    if (found) this.findings.push(found)
    return []
  }
}
