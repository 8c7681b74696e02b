import type { Capabilities, Capability } from '../../engine/index.ts'

/** The tool has run, and only words are read: a `decision` there is ignored (0.24.4). */
const AFTER_TOOL: Capability = { can: ['pass'], context: true }
const START_EVENT: Capability = { can: ['pass'], context: true }

/**
 * Read in 0.24.4: a `systemMessage` is shown at Stop only, elsewhere it ends in the debug log; context of a PreToolUse goes nowhere;
 * context of a PreCompact is for the summary, not for the agent. PreToolUse comes after the client's own permission check, so
 * `allow` is no opinion there and is not said; nor is a rewritten input read.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': START_EVENT,
    'prompt.submit': { can: ['pass', 'deny'], context: true },
    'tool.before': { can: ['pass', 'ask', 'deny'] },
    'tool.after': AFTER_TOOL,
    'tool.failed': AFTER_TOOL,
    // `ask` is silence here: the client is about to ask the person
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
