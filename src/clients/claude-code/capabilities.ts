import type { Capabilities, Capability } from '../../engine/index.ts'

/** The tool has already run: a denial is shown to the agent, but its work is not undone. */
const AFTER_TOOL: Capability = { can: ['pass', 'deny'], context: true, message: true }

/** No context on a stop: since 2.1.163 it makes the agent continue, as a denial does. */
const STOP_EVENT: Capability = { can: ['pass', 'deny'], message: true }

const START_EVENT: Capability = { can: ['pass'], context: true, message: true }

/**
 * Events left out are never answered: `session.end` (the reply is not read) and `other`, where output can do harm:
 * WorktreeCreate uses stdout as a path.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': START_EVENT,
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    'tool.before': {
      can: ['pass', 'allow', 'ask', 'deny'],
      context: true,
      message: true,
      // without a decision too: the client then makes its own permission check (read in 2.1.325)
      rewrites: ['pass', 'allow', 'ask'],
    },
    'tool.after': AFTER_TOOL,
    'tool.failed': AFTER_TOOL,
    // `ask` is an empty reply here: the client is about to ask the user
    'permission.request': { can: ['pass', 'allow', 'ask', 'deny'], message: true, rewrites: ['allow'] },
    'agent.start': START_EVENT,
    'agent.stop': STOP_EVENT,
    'turn.stop': STOP_EVENT,
    'compact.before': { can: ['pass', 'deny'], message: true },
    notification: { can: ['pass'], message: true },
  },
  shortens: true,
  // before 2.1.69 tool events had no `agent_id`, and payloads do not contain the client's version
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
