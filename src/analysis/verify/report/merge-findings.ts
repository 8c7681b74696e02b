import type { VerifierClient } from '../system/client-profile.ts'
import type { VerificationFinding } from './finding.ts'

const FINDING_KIND_ORDER: readonly VerificationFinding['kind'][] = [
  'deadlock',
  'held',
  'suggestion',
  'silent',
  'unreachable',
  'shadowed',
]

/** The same fault on several clients is one, told by its best story; where it is on all of them, none is named. */
export function mergeFindings(
  all: readonly VerificationFinding[],
  clients: readonly VerifierClient[],
): readonly VerificationFinding[] {
  const merged = new Map<string, VerificationFinding>()
  for (const one of all) {
    const key = `${one.kind} ${withoutRunPrefix(one.what)}`
    const known = merged.get(key)
    const on = [...new Set([...(known?.on ?? []), ...one.on])]
    merged.set(key, { ...(known && isBetterFinding(known, one) ? known : one), on })
  }
  return [...merged.values()]
    .map(one => (one.on.length === clients.length ? { ...one, on: [] } : one))
    .sort((a, b) => FINDING_KIND_ORDER.indexOf(a.kind) - FINDING_KIND_ORDER.indexOf(b.kind))
}

/** To some clients `npm test` is suggested, to others `signalbox run -- npm test`: that is one and the same. */
export const withoutRunPrefix = (words: string): string => words.replaceAll('signalbox run -- ', '')

export const isSameFault = (one: string, other: string): boolean => withoutRunPrefix(one) === withoutRunPrefix(other)

/** What is certain before what is not, a story that says what to change before one that does not, then the shorter one. */
function isBetterFinding(one: VerificationFinding, other: VerificationFinding): boolean {
  const worth = ({ doubt, fix, story }: VerificationFinding): readonly number[] => [
    doubt === undefined ? 0 : 1,
    fix.length > 0 ? 0 : 1,
    story.length,
  ]
  const [a, b] = [worth(one), worth(other)]
  const at = a.findIndex((value, nth) => value !== b[nth])
  return at < 0 || (a[at] ?? 0) < (b[at] ?? 0)
}
