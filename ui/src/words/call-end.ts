import type { CallResult } from '../../../src/app/dashboard/api.ts'

/** Explains how a call ended. */
export const CALL_ENDS: Readonly<Record<CallResult, string>> = {
  ok: 'the call was let through, and the agent says that it succeeded',
  failed: 'the call was let through, and failed',
  unknown:
    'how it ended is not known: the agent does not say, or the line hides it (a pipe ends as its last command does)',
}
