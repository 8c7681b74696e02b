import type { StoredReply } from '../events/idempotency.ts'
import { acquireEventLease, type LeaseRequest } from './event-lease.ts'
import { newReentrancyMarker, reentrancyMarkersIn } from './reentrancy-marker.ts'
import { type NamedSubHook, runSubHooks, type SubHookAnswer, type SubHookCall, skipSubHooks } from './sub-hooks.ts'

interface Consulting extends Omit<SubHookCall, 'mark'>, Pick<LeaseRequest, 'store' | 'key' | 'left' | 'until'> {
  /** identifies the event if it arrives again */
  readonly identity: string | undefined
}

/** The answers of the sub-hooks, or the reply that another process gave meanwhile. */
export type SubHookOutcome =
  | { readonly given: StoredReply }
  | { readonly answers: readonly SubHookAnswer[]; readonly keeps: Keeps }

/**
 * What is stored of the result. `record`: only the audit record, since another process may still store the reply. `nothing`: an outer
 * process is evaluating the same event.
 */
type Keeps = 'all' | 'record' | 'nothing'

export const NO_SUB_HOOKS: SubHookOutcome = { answers: [], keeps: 'all' }

/** Runs the sub-hooks once per event, even if the event arrives several times or in several processes at once. */
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
