import type { Client } from '../../clients/index.ts'
import type { EvaluationResult } from '../../engine/index.ts'
import type { TestStepDoc } from '../../policy/parse/policy-tests.ts'
import { type SimulatedSessions, simulatePayload } from '../simulator/index.ts'
import { findGateByName, type Mismatch, withoutLayer } from './expectation.ts'

/** Explains that a gate in mode `warn` or `observe` does not block, in tests either, and what to expect instead. */
export function nonBlockingModeHints(
  wanted: string | undefined,
  { outcome, record }: EvaluationResult,
): readonly string[] {
  if ((wanted !== 'deny' && wanted !== 'ask') || outcome.decision !== 'pass') return []
  const watching = record.matches.find(match => match.decision === wanted && match.mode !== 'block' && !match.bypassed)
  if (!watching) return []
  const gate = withoutLayer(watching.gate)
  const comes = `{ decision: ${watching.mode === 'warn' ? 'warn' : 'pass'}, gate: ${gate} }`
  return [
    `gate ${gate} is in mode ${watching.mode} and blocks nothing: expect \`${comes}\`, or test a copy of it in \`mode: block\` under \`policy:\` of the test`,
  ]
}

interface FailedExpectation {
  readonly wrong: readonly Mismatch[]
  readonly result: EvaluationResult
  readonly sessions: SimulatedSessions
  readonly client: Client
  readonly vars: Readonly<Record<string, string>>
}

/** Hints at earlier calls without `after`, if their success would have moved a gate of the failed expectation. */
export function unendedCallHints(earlier: readonly TestStepDoc[], failed: FailedExpectation): readonly string[] {
  const wanted = involvedGates(failed)
  if (wanted.size === 0) return []
  const begun = earlier.filter(
    (step, nth) => isUnendedCall(step, earlier.slice(nth + 1)) && mayMoveGates(step, wanted, failed),
  )
  return [...new Set(begun.map(callTextOf))].map(
    what => `\`${what}\` has not ended in this test: add \`after: succeeded\``,
  )
}

/** Ids of gates that denied the event, and of gates in an unexpected state. */
function involvedGates({ wrong, result: { outcome, record }, sessions }: FailedExpectation): ReadonlySet<string> {
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'ask'
  const refusing = record.matches
    .filter(match => isRefused && match.effect === outcome.decision)
    .map(match => match.gate)
  const named = wrong.flatMap(({ key }) => {
    const name = /^gates\.([^@]*)/.exec(key)?.[1]
    return (name !== undefined && findGateByName(sessions.options.program.gates, name)?.id) || []
  })
  return new Set([...(wrong.some(mismatch => mismatch.key === 'decision') ? refusing : []), ...named])
}

const isUnendedCall = (step: TestStepDoc, later: readonly TestStepDoc[]): boolean =>
  step.after === undefined &&
  callTextOf(step) !== undefined &&
  !later.some(candidate => candidate.after !== undefined && callTextOf(candidate) === callTextOf(step))

function mayMoveGates(
  step: TestStepDoc,
  gates: ReadonlySet<string>,
  { sessions, client, vars }: FailedExpectation,
): boolean {
  const { root, home } = sessions.options
  const simulated = simulatePayload({ ...step, after: 'succeeded' }, { root, home, client })
  if ('problem' in simulated) return false
  return simulated.events.some(event => {
    const { record } = sessions.simulatorFor(event, client).preview(event, { env: vars })
    return record.moves.some(move => gates.has(move.gate))
  })
}

const callTextOf = ({ shell, write, edit, delete: gone, fetch, spawn, tool }: TestStepDoc): string | undefined =>
  shell ?? write ?? edit ?? gone ?? fetch ?? spawn ?? tool
