import type { Capabilities } from '../../engine/index.ts'

/**
 * As documented, not as seen. `user_message` is said to be shown with a decision, so a message without one waits for an event that
 * has a place for it. After a call nothing can be refused; a stop is held by a `followup_message`.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], context: true, message: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    // no context: only one of its four events has a place for it
    'tool.before': { can: ['pass', 'allow', 'ask', 'deny'], rewrites: ['pass', 'allow', 'ask'] },
    'tool.after': { can: ['pass'], context: true },
    'tool.failed': { can: ['pass'], context: true },
    'agent.start': { can: ['pass', 'deny'] },
    'agent.stop': { can: ['pass', 'deny'] },
    'turn.stop': { can: ['pass', 'deny'] },
    'compact.before': { can: ['pass'], message: true },
  },
  shortens: true,
  callers: 'marked',
  // no event is said to carry the exit status of a command; a `postToolUse` of anything else comes after its success
  reportsExit: false,
  reportsEnd: true,
}
