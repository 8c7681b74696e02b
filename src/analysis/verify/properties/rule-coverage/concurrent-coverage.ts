import type { Gate, Rule } from '../../../../engine/index.ts'
import type { ConcurrentScenarios } from '../../abstraction/concurrency.ts'
import { atomsOf, isStateDependent } from '../../abstraction/condition-atoms.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import { mayRuleFire } from '../../system/agent-action.ts'
import type { RuleCoverage } from './rule-coverage.ts'

const MAX_ASYNC_CALLS = 6

/**
 * May the rule fire only if calls overlap or a second session shares the gates? Explores that, and records which rules fire.
 * True if it fires, or if something that could make it fire is not explored.
 */
export function mayFireConcurrently(context: AnalysisContext, gate: Gate, rule: Rule, coverage: RuleCoverage): boolean {
  const isAskingState =
    rule.while !== undefined || [rule.when, rule.unless ?? []].flat().flatMap(atomsOf).some(isStateDependent)
  if (!isAskingState) return false
  const cone = context.dependencies.cone([gate], [])
  const found = context.concurrentScenarios(cone.gates)
  const own = callsOf(context, rule)
  const scenarios: ConcurrentScenarios = {
    ...found,
    asyncCalls: [...new Set([...own, ...found.asyncCalls])].slice(0, MAX_ASYNC_CALLS),
  }
  if (scenarios.combinedLines.length + scenarios.asyncCalls.length === 0 && !found.hasSecondSession) return false
  const hasFired = (): boolean => coverage.hasFired(gate.id, rule.id)
  const { graph } = context.explore(
    cone,
    (_, { results }) => {
      for (const result of results) coverage.record(result)
    },
    { isDone: hasFired },
    scenarios,
  )
  const areInterleaved =
    found.hasSecondSession && [...cone.gates].some(({ initial, scope }) => initial !== undefined && scope !== 'project')
  return hasFired() || graph.cutDepth !== undefined || areInterleaved || found.unexplored.length > 0
}

/** Calls at whose end the rule may fire: they may have begun in another state. */
const callsOf = ({ dependencies, mayMust }: AnalysisContext, rule: Rule) =>
  dependencies.actions.flatMap(({ actor, call, events }) =>
    call &&
    actor === 'main' &&
    events.some(event => {
      if (event.kind === 'tool.before' || !rule.events.includes(event.kind)) return false
      const { sure, unsure } = mayRuleFire(rule, event, mayMust, call.isApproved)
      return sure || unsure
    })
      ? [call]
      : [],
  )
