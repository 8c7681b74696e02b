import type { Capabilities, Capability } from '../../engine/index.ts'

const START_EVENT: Capability = { can: ['pass'], context: true, message: true }

/** There is no `hookSpecificOutput` on a stop. */
const STOP_EVENT: Capability = { can: ['pass', 'deny'], message: true }

/**
 * Left out, so never answered: `session.end` (its output is not read) and `other`. There is no event of a failed call. A question
 * cannot be put: `ask` voids the whole reply, and the call runs.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': START_EVENT,
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    // a bare `allow` is an error; with a new input it is the only word for it
    'tool.before': { can: ['pass', 'deny'], context: true, message: true, rewrites: ['pass'] },
    // the model reads the reason in place of the result; the work is not undone
    'tool.after': { can: ['pass', 'deny'], context: true, message: true },
    // a person may not be asked after it, but the client's own reviewer: silence is no `ask`
    'permission.request': { can: ['pass', 'allow', 'deny'], message: true },
    'agent.start': START_EVENT,
    'agent.stop': STOP_EVENT,
    'turn.stop': STOP_EVENT,
    'compact.before': { can: ['pass'], message: true },
  },
  shortens: true,
  // since 0.134.0
  callers: 'marked',
  // of no call: `PostToolUse` comes for success and failure alike, with the bare output (0.166.0)
  reportsExit: false,
  reportsEnd: false,
}
