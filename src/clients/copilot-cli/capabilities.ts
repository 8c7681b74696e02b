import type { Capabilities, Capability } from '../../engine/index.ts'

/** A denied stop continues with the reason as the next prompt. Copilot sets no limit for subagents: the hook must let go at some point. */
const STOP_EVENT: Capability = { can: ['pass', 'deny'] }

/**
 * Copilot shows no messages to the user. Events left out are never answered: `session.end`, `compact.before`, `notification`, `other`, and
 * `agent.start`, whose context is not used (1.0.102).
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], context: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true },
    'tool.before': { can: ['pass', 'allow', 'ask', 'deny'], context: true, rewrites: ['pass', 'allow'] },
    // the model reads the reason instead of the result; the work is not undone
    'tool.after': { can: ['pass', 'deny'], context: true },
    // a denial on `postToolUseFailure` is not read
    'tool.failed': { can: ['pass'], context: true },
    // no `ask`: if all tools are allowed, the client asks nobody after an empty reply
    'permission.request': { can: ['pass', 'allow', 'deny'] },
    'agent.stop': STOP_EVENT,
    'turn.stop': STOP_EVENT,
  },
  shortens: true,
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
