import type { CallResult } from '../../../src/app/dashboard/api.ts'

/** Explains how a call ended. */
export const CALL_ENDS: Readonly<Record<CallResult, string>> = {
  ok: 'the call was allowed, and the agent reports success',
  failed: 'the call was allowed and failed',
  unknown:
    'the result is unknown: the agent does not report it, or the command line hides it (a pipe returns the status of its last command)',
}
