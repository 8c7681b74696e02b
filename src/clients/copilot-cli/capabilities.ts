import type { Capabilities, Capability } from '../../engine/index.ts'

/** It goes on with the reason as its next prompt. An agent is held without end: the hook must let go. */
const STOP_EVENT: Capability = { can: ['pass', 'deny'] }

/**
 * Nothing is ever shown to the person. Left out, so never answered: `session.end`, `compact.before`, `notification` and `other`, and
 * `agent.start`, whose context reached nobody (1.0.102).
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], context: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true },
    'tool.before': { can: ['pass', 'allow', 'ask', 'deny'], context: true, rewrites: ['pass', 'allow'] },
    // the model reads the reason in place of the result; the work is not undone
    'tool.after': { can: ['pass', 'deny'], context: true },
    // a refusal of `postToolUseFailure` is not read
    'tool.failed': { can: ['pass'], context: true },
    // with all tools allowed nobody is asked after it: silence is no `ask`
    'permission.request': { can: ['pass', 'allow', 'deny'] },
    'agent.stop': STOP_EVENT,
    'turn.stop': STOP_EVENT,
  },
  shortens: true,
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
