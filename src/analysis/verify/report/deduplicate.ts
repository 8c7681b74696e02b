import { describeStep } from './descriptions.ts'
import type { CounterexampleStep, VerificationFinding } from './finding.ts'
import { withoutRunPrefix } from './merge-findings.ts'

/** Joins deadlocks of gates that wait for each other, and drops suggestions that they explain. For output only: proofs are per gate. */
export function deduplicateFindings(all: readonly VerificationFinding[]): readonly VerificationFinding[] {
  const locks = new Map<string, VerificationFinding[]>()
  for (const one of all) {
    const key =
      one.kind === 'deadlock' ? (cycleKeyOf(one, all) ?? deadlockKey(one)) : JSON.stringify([one.kind, one.what])
    locks.set(key, [...(locks.get(key) ?? []), one])
  }
  const once = [...locks.values()]
    .flatMap(joinFindings)
    .map(one => ({ ...one, story: withoutRepeatedRefusals(one.story) }))
  return once.filter(one => one.kind !== 'suggestion' || !once.some(other => isExplainedBy(other, one)))
}

const DEADLOCK_SUFFIX = ' can be closed with no way left to open it'

/** The same key for all gates of a cycle in which each gate waits for all others. */
function cycleKeyOf(one: VerificationFinding, all: readonly VerificationFinding[]): string | undefined {
  const sort = ({ kind, on, when, doubt, what }: VerificationFinding): string =>
    JSON.stringify([kind, on, when, doubt, what.endsWith(DEADLOCK_SUFFIX)])
  const peers = all.filter(other => sort(other) === sort(one))
  const ring = peers.filter(other => isWaitingFor(one, other, peers) && isWaitingFor(other, one, peers))
  return ring.length > 1 && one.what.endsWith(DEADLOCK_SUFFIX)
    ? JSON.stringify(['ring', ring.map(({ gate }) => gate)])
    : undefined
}

/** Does one gate wait for the other, directly or transitively? */
function isWaitingFor(
  one: VerificationFinding,
  other: VerificationFinding,
  all: readonly VerificationFinding[],
): boolean {
  const ids = new Set(one.needs)
  for (const id of ids) for (const next of all.find(({ gate }) => gate === id)?.needs ?? []) ids.add(next)
  return other.gate !== undefined && ids.has(other.gate)
}

const refusalKeysIn = ({ story }: VerificationFinding): readonly string[] =>
  story.filter(line => line.step.ending === 'refused').map(refusalKey)

/** Removes repeated refusals from a counterexample. */
function withoutRepeatedRefusals(story: readonly CounterexampleStep[]): readonly CounterexampleStep[] {
  const isNew = (line: CounterexampleStep, nth: number): boolean =>
    line.step.ending !== 'refused' ||
    !story.slice(0, nth).some(one => one.step.ending === 'refused' && refusalKey(one) === refusalKey(line)) ||
    // after other steps the state differs, so the refusal may matter again
    story.slice(0, nth).at(-1)?.step.ending !== 'refused'
  return story.filter(isNew)
}

const refusalKey = ({ step, results }: CounterexampleStep): string =>
  JSON.stringify([withoutRunPrefix(describeStep(step)), results.map(({ record }) => [record.gate, record.rule])])

/** Deadlocks with the same refusals are the same, whichever gate they are reported for. */
function deadlockKey(one: VerificationFinding): string {
  const refusals = [...new Set(refusalKeysIn(one))].sort()
  return JSON.stringify([one.kind, one.on, refusals.length > 0 ? refusals : one.what])
}

function joinFindings(all: readonly VerificationFinding[]): readonly VerificationFinding[] {
  const [first, ...rest] = all
  if (!first || rest.length === 0 || !all.every(({ what }) => what.endsWith(DEADLOCK_SUFFIX))) return all
  const names = all.map(({ what }) => what.slice(0, -DEADLOCK_SUFFIX.length))
  const others = rest.flatMap(one => one.gate ?? [])
  return [
    {
      ...first,
      others,
      what: `${names.slice(0, -1).join(', ')} and ${names.at(-1)}${DEADLOCK_SUFFIX.replace(/it$/, 'them')}`,
    },
  ]
}

/** Is the agent stuck at the very call that was suggested? */
function isExplainedBy(stuck: VerificationFinding, misled: VerificationFinding): boolean {
  if (stuck.kind !== 'deadlock' && stuck.kind !== 'held') return false
  if (stuck.on.length > 0 && !(misled.on.length > 0 && misled.on.every(id => stuck.on.includes(id)))) return false
  const last = misled.story.at(-1)
  return last !== undefined && refusalKeysIn(stuck).includes(refusalKey(last))
}
