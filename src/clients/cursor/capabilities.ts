import type { Capabilities } from '../../engine/index.ts'

/**
 * From the documentation, not tested. `user_message` is shown only together with a decision, so a message without a decision waits for an
 * event that can show it. Nothing can be denied after a call; a stop is denied by a `followup_message`.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], context: true, message: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    // no context: only one of the four `tool.before` events accepts it
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
  // no documented event has a command's exit status; for any other tool, `postToolUse` means success
  reportsExit: false,
  reportsEnd: true,
}
