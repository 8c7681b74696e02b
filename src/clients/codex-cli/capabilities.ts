import type { Capabilities, Capability } from '../../engine/index.ts'

const START_EVENT: Capability = { can: ['pass'], context: true, message: true }

/** Stop events accept no `hookSpecificOutput`. */
const STOP_EVENT: Capability = { can: ['pass', 'deny'], message: true }

/**
 * Events left out are never answered: `session.end` (its output is not read) and `other`. There is no event for failed calls. `ask` is
 * not supported: it voids the whole reply, and the call runs.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': START_EVENT,
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    // `allow` alone is an error, but a rewritten input needs it
    'tool.before': { can: ['pass', 'deny'], context: true, message: true, rewrites: ['pass'] },
    // the model reads the reason instead of the result; the work is not undone
    'tool.after': { can: ['pass', 'deny'], context: true, message: true },
    // no `ask`: after an empty reply the client may ask its own reviewer instead of a person
    'permission.request': { can: ['pass', 'allow', 'deny'], message: true },
    'agent.start': START_EVENT,
    'agent.stop': STOP_EVENT,
    'turn.stop': STOP_EVENT,
    'compact.before': { can: ['pass'], message: true },
  },
  shortens: true,
  // since 0.134.0
  callers: 'marked',
  // `PostToolUse` comes for success and failure alike, with the output only (0.166.0)
  reportsExit: false,
  reportsEnd: false,
}
