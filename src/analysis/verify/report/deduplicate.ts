import { describeStep } from './descriptions.ts'
import type { CounterexampleStep, VerificationFinding } from './finding.ts'
import { withoutRunPrefix } from './merge-findings.ts'

/** Joins deadlocks of gates that wait for each other, and drops suggestions that they explain. For output only: proofs are per gate. */
export function deduplicateFindings(all: readonly VerificationFinding[]): readonly VerificationFinding[] {
  const locks = new Map<string, VerificationFinding[]>()
  for (const finding of all) {
    const key =
      finding.kind === 'deadlock'
        ? (cycleKeyOf(finding, all) ?? deadlockKey(finding))
        : JSON.stringify([finding.kind, finding.what])
    locks.set(key, [...(locks.get(key) ?? []), finding])
  }
  const once = [...locks.values()]
    .flatMap(joinFindings)
    .map(finding => ({ ...finding, counterexample: withoutRepeatedRefusals(finding.counterexample) }))
  return once.filter(one => one.kind !== 'misleading' || !once.some(other => isExplainedBy(other, one)))
}

const DEADLOCK_SUFFIX = ' can be closed with no way left to open it'

/** The same key for all gates of a cycle in which each gate waits for all others. */
function cycleKeyOf(finding: VerificationFinding, all: readonly VerificationFinding[]): string | undefined {
  const sort = ({ kind, clients, when, inconclusiveReason, what }: VerificationFinding): string =>
    JSON.stringify([kind, clients, when, inconclusiveReason, what.endsWith(DEADLOCK_SUFFIX)])
  const peers = all.filter(other => sort(other) === sort(finding))
  const ring = peers.filter(other => isWaitingFor(finding, other, peers) && isWaitingFor(other, finding, peers))
  return ring.length > 1 && finding.what.endsWith(DEADLOCK_SUFFIX)
    ? JSON.stringify(['ring', ring.map(({ gate }) => gate)])
    : undefined
}

/** Does one gate wait for the other, directly or transitively? */
function isWaitingFor(
  finding: VerificationFinding,
  other: VerificationFinding,
  all: readonly VerificationFinding[],
): boolean {
  const ids = new Set(finding.waitsFor)
  for (const id of ids) for (const next of all.find(({ gate }) => gate === id)?.waitsFor ?? []) ids.add(next)
  return other.gate !== undefined && ids.has(other.gate)
}

const refusalKeysIn = ({ counterexample }: VerificationFinding): readonly string[] =>
  counterexample.filter(line => line.step.ending === 'refused').map(refusalKey)

/** Removes repeated refusals from a counterexample. */
function withoutRepeatedRefusals(counterexample: readonly CounterexampleStep[]): readonly CounterexampleStep[] {
  const isNew = (line: CounterexampleStep, nth: number): boolean =>
    line.step.ending !== 'refused' ||
    !counterexample
      .slice(0, nth)
      .some(step => step.step.ending === 'refused' && refusalKey(step) === refusalKey(line)) ||
    // after other steps the state differs, so the refusal may matter again
    counterexample.slice(0, nth).at(-1)?.step.ending !== 'refused'
  return counterexample.filter(isNew)
}

const refusalKey = ({ step, results }: CounterexampleStep): string =>
  JSON.stringify([withoutRunPrefix(describeStep(step)), results.map(({ record }) => [record.gate, record.rule])])

/** Deadlocks with the same refusals are the same, whichever gate they are reported for. */
function deadlockKey(finding: VerificationFinding): string {
  const refusals = [...new Set(refusalKeysIn(finding))].sort()
  return JSON.stringify([finding.kind, finding.clients, refusals.length > 0 ? refusals : finding.what])
}

function joinFindings(all: readonly VerificationFinding[]): readonly VerificationFinding[] {
  const [first, ...rest] = all
  if (!first || rest.length === 0 || !all.every(({ what }) => what.endsWith(DEADLOCK_SUFFIX))) return all
  const names = all.map(({ what }) => what.slice(0, -DEADLOCK_SUFFIX.length))
  const others = rest.flatMap(finding => finding.gate ?? [])
  return [
    {
      ...first,
      otherGates: others,
      what: `${names.slice(0, -1).join(', ')} and ${names.at(-1)}${DEADLOCK_SUFFIX.replace(/it$/, 'them')}`,
    },
  ]
}

/** Is the agent stuck at the very call that was suggested? */
function isExplainedBy(deadlocked: VerificationFinding, suggestion: VerificationFinding): boolean {
  if (deadlocked.kind !== 'deadlock' && deadlocked.kind !== 'cannot-end') return false
  if (
    deadlocked.clients.length > 0 &&
    !(suggestion.clients.length > 0 && suggestion.clients.every(id => deadlocked.clients.includes(id)))
  )
    return false
  const last = suggestion.counterexample.at(-1)
  return last !== undefined && refusalKeysIn(deadlocked).includes(refusalKey(last))
}
