import type { Gate } from '../../../engine/index.ts'
import type { ConcurrentScenarios } from '../abstraction/concurrency.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import type { VerificationFinding } from '../report/finding.ts'

/** Concurrent scenarios among these gates that were not explored and may lead into a deadlock. */
export const reportUnexploredConcurrency = (
  context: AnalysisContext,
  gates: readonly Gate[],
  { hasSecondSession, unexplored }: ConcurrentScenarios,
): readonly VerificationFinding[] => {
  const stateful = gates.filter(gate => gate.initial !== undefined)
  return [
    ...(hasSecondSession ? interleavedSessionsFinding(context, stateful) : []),
    ...(unexplored.length > 0 ? [untriedConcurrencyFinding(context, stateful, unexplored)] : []),
  ]
}

const gateNames = (gates: readonly Gate[]): string => gates.map(gate => gate.name).join(', ')

/** Sessions were explored one after the other. Interleaved sessions may matter if session gates and project gates depend on each other. */
function interleavedSessionsFinding(
  { profile }: AnalysisContext,
  gates: readonly Gate[],
): readonly VerificationFinding[] {
  const names = gateNames(gates.filter(gate => gate.scope === 'project'))
  const own = gates.filter(gate => gate.scope !== 'project')
  if (own.length === 0) return []
  return [
    {
      kind: 'deadlock',
      what: `two concurrent sessions may close ${names} for each other`,
      ...{ clients: profile.clients, counterexample: [], fix: [], concurrent: true },
      why: `they share ${names}, and each session has its own ${gateNames(own)}`,
      inconclusiveReason: 'concurrent sessions were not explored',
    },
  ]
}

const untriedConcurrencyFinding = (
  { profile }: AnalysisContext,
  gates: readonly Gate[],
  untried: readonly string[],
): VerificationFinding => ({
  kind: 'deadlock',
  what: `concurrent events may close ${gateNames(gates)} with no way left`,
  ...{ clients: profile.clients, counterexample: [], fix: [], concurrent: true },
  why: 'the event that closes one gate is denied while the other is closed, but concurrently both can happen',
  inconclusiveReason: untried.join('; '),
})
