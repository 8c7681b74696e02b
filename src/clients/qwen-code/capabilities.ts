import type { Capabilities, Capability } from '../../engine/index.ts'

/** The tool has already run, and only context is read: a `decision` is ignored (0.24.4). */
const AFTER_TOOL: Capability = { can: ['pass'], context: true }
const START_EVENT: Capability = { can: ['pass'], context: true }

/**
 * Read in 0.24.4: a `systemMessage` is shown at Stop only, elsewhere it goes to the debug log; context of PreToolUse is dropped;
 * context of PreCompact goes to the summary, not to the agent. PreToolUse comes after the client's own permission check, so `allow`
 * is no opinion there and is not sent; a rewritten input is not read.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': START_EVENT,
    'prompt.submit': { can: ['pass', 'deny'], context: true },
    'tool.before': { can: ['pass', 'ask', 'deny'] },
    'tool.after': AFTER_TOOL,
    'tool.failed': AFTER_TOOL,
    // `ask` is an empty reply here: the client is about to ask the user
    'permission.request': { can: ['pass', 'allow', 'ask', 'deny'], rewrites: ['allow'] },
    'agent.start': START_EVENT,
    'agent.stop': { can: ['pass', 'deny'] },
    'turn.stop': { can: ['pass', 'deny'], message: true },
  },
  shortens: true,
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
