import { type Claiming, claim } from './claim.ts'
import { marksIn, newMark } from './mark.ts'
import type { Given } from './repeat.ts'
import { type Answer, type Asking, askHooks, excuse, type NamedHook } from './sub-hooks.ts'

interface Consulting extends Omit<Asking, 'mark'>, Pick<Claiming, 'store' | 'key' | 'left' | 'until'> {
  /** what the event is known by if it comes again */
  readonly identity: string | undefined
}

/** What the sub-hooks say; or the reply that the event got from another process meanwhile. */
export type Consulted = { readonly given: Given } | { readonly answers: readonly Answer[]; readonly keeps: Keeps }

/**
 * What of the result is kept: `all`; `record`, but not as the answer to the event, where another process may still give that;
 * `nothing`, where the event is being judged further out.
 */
type Keeps = 'all' | 'record' | 'nothing'

export const NOBODY: Consulted = { answers: [], keeps: 'all' }

/** Asks the sub-hooks, once for an event however often it comes, and at the same moment too. */
export async function consult(hooks: readonly NamedHook[], given: Consulting): Promise<Consulted> {
  if (hooks.length === 0) return NOBODY
  const { identity, event, env } = given
  const mark = newMark()
  const turn = identity === undefined ? 'ours' : await claim({ ...given, identity, mark, inside: marksIn(env) })
  if (turn === 'ours') return { answers: await askHooks(hooks, { ...given, mark }), keeps: 'all' }
  if (turn === 'late') return { answers: excuse(hooks, LATE, event), keeps: 'record' }
  return turn === 'inside' ? { answers: excuse(hooks, INSIDE, event), keeps: 'nothing' } : turn
}

const INSIDE = 'was not started: it runs inside itself'
const LATE = 'was not started: another process runs it for the same event, and gave no answer in time'
