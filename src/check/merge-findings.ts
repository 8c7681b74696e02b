import type { Finding } from './finding.ts'
import type { ProofClient } from './view.ts'

const KINDS: readonly Finding['kind'][] = ['deadlock', 'held', 'suggestion', 'silent', 'unreachable', 'shadowed']

/** The same fault on several clients is one, told by its best story; where it is on all of them, none is named. */
export function mergeFindings(all: readonly Finding[], clients: readonly ProofClient[]): readonly Finding[] {
  const merged = new Map<string, Finding>()
  for (const one of all) {
    const key = `${one.kind} ${unwitnessed(one.what)}`
    const known = merged.get(key)
    const on = [...new Set([...(known?.on ?? []), ...one.on])]
    merged.set(key, { ...(known && isBetter(known, one) ? known : one), on })
  }
  return [...merged.values()]
    .map(one => (one.on.length === clients.length ? { ...one, on: [] } : one))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

/** To some clients `npm test` is suggested, to others `signalbox run -- npm test`: that is one and the same. */
export const unwitnessed = (words: string): string => words.replaceAll('signalbox run -- ', '')

export const isSameFault = (one: string, other: string): boolean => unwitnessed(one) === unwitnessed(other)

/** What is certain before what is not, a story that says what to change before one that does not, then the shorter one. */
function isBetter(one: Finding, other: Finding): boolean {
  const worth = ({ doubt, fix, story }: Finding): readonly number[] => [
    doubt === undefined ? 0 : 1,
    fix.length > 0 ? 0 : 1,
    story.length,
  ]
  const [a, b] = [worth(one), worth(other)]
  const at = a.findIndex((value, nth) => value !== b[nth])
  return at < 0 || (a[at] ?? 0) < (b[at] ?? 0)
}
