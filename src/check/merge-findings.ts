import type { Finding } from './finding.ts'
import type { ProofClient } from './view.ts'

const KINDS: readonly Finding['kind'][] = ['deadlock', 'held', 'suggestion', 'silent', 'unreachable', 'shadowed']

/** The same fault on several clients is one, told by its shortest story; where it is on all of them, none is named. */
export function mergeFindings(all: readonly Finding[], clients: readonly ProofClient[]): readonly Finding[] {
  const merged = new Map<string, Finding>()
  for (const one of all) {
    const key = `${one.kind} ${one.what}`
    const known = merged.get(key)
    const on = [...new Set([...(known?.on ?? []), ...one.on])]
    const shorter = known && known.story.length <= one.story.length ? known : one
    merged.set(key, { ...shorter, on })
  }
  return [...merged.values()]
    .map(one => (one.on.length === clients.length ? { ...one, on: [] } : one))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}
