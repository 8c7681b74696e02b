import type { StoredReply } from '../events/idempotency.ts'
import { acquireEventLease, type LeaseRequest } from './event-lease.ts'
import { newReentrancyMarker, reentrancyMarkersIn } from './reentrancy-marker.ts'
import { type NamedSubHook, runSubHooks, type SubHookAnswer, type SubHookCall, skipSubHooks } from './sub-hooks.ts'

interface Consulting extends Omit<SubHookCall, 'mark'>, Pick<LeaseRequest, 'store' | 'key' | 'left' | 'until'> {
  /** what the event is known by if it comes again */
  readonly identity: string | undefined
}

/** What the sub-hooks say; or the reply that the event got from another process meanwhile. */
export type SubHookOutcome =
  | { readonly given: StoredReply }
  | { readonly answers: readonly SubHookAnswer[]; readonly keeps: Keeps }

/**
 * What of the result is kept: `all`; `record`, but not as the answer to the event, where another process may still give that;
 * `nothing`, where the event is being judged further out.
 */
type Keeps = 'all' | 'record' | 'nothing'

export const NO_SUB_HOOKS: SubHookOutcome = { answers: [], keeps: 'all' }

/** Asks the sub-hooks, once for an event however often it comes, and at the same moment too. */
export async function runSubHooksOnce(hooks: readonly NamedSubHook[], given: Consulting): Promise<SubHookOutcome> {
  if (hooks.length === 0) return NO_SUB_HOOKS
  const { identity, event, env } = given
  const mark = newReentrancyMarker()
  const turn =
    identity === undefined
      ? 'ours'
      : await acquireEventLease({ ...given, identity, mark, inside: reentrancyMarkersIn(env) })
  if (turn === 'ours') return { answers: await runSubHooks(hooks, { ...given, mark }), keeps: 'all' }
  if (turn === 'late') return { answers: skipSubHooks(hooks, LATE, event), keeps: 'record' }
  return turn === 'inside' ? { answers: skipSubHooks(hooks, INSIDE, event), keeps: 'nothing' } : turn
}

const INSIDE = 'was not started: it runs inside itself'
const LATE = 'was not started: another process runs it for the same event, and gave no answer in time'
