import type { VerifierClient } from '../system/client-profile.ts'
import type { VerificationFinding } from './finding.ts'

const FINDING_KIND_ORDER: readonly VerificationFinding['kind'][] = [
  'deadlock',
  'cannot-end',
  'misleading',
  'no-guidance',
  'unreachable',
  'shadowed',
]

/** Merges the same fault on several clients and keeps the best counterexample. If all clients are affected, none is named. */
export function mergeFindings(
  all: readonly VerificationFinding[],
  clients: readonly VerifierClient[],
): readonly VerificationFinding[] {
  const merged = new Map<string, VerificationFinding>()
  for (const finding of all) {
    const key = `${finding.kind} ${withoutRunPrefix(finding.what)}`
    const known = merged.get(key)
    const on = [...new Set([...(known?.clients ?? []), ...finding.clients])]
    merged.set(key, { ...(known && isBetterFinding(known, finding) ? known : finding), clients: on })
  }
  return [...merged.values()]
    .map(finding => (finding.clients.length === clients.length ? { ...finding, clients: [] } : finding))
    .sort((a, b) => FINDING_KIND_ORDER.indexOf(a.kind) - FINDING_KIND_ORDER.indexOf(b.kind))
}

/** Some clients get `npm test` as a suggestion, others `signalbox run -- npm test`: both are the same. */
export const withoutRunPrefix = (words: string): string => words.replaceAll('signalbox run -- ', '')

export const isSameFault = (one: string, other: string): boolean => withoutRunPrefix(one) === withoutRunPrefix(other)

/** Certain findings come first, then findings with a fix, then shorter counterexamples. */
function isBetterFinding(finding: VerificationFinding, other: VerificationFinding): boolean {
  const worth = ({ inconclusiveReason, fix, counterexample }: VerificationFinding): readonly number[] => [
    inconclusiveReason === undefined ? 0 : 1,
    fix.length > 0 ? 0 : 1,
    counterexample.length,
  ]
  const [a, b] = [worth(finding), worth(other)]
  const at = a.findIndex((value, nth) => value !== b[nth])
  return at < 0 || (a[at] ?? 0) < (b[at] ?? 0)
}
