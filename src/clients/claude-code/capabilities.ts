import type { Capabilities, Capability } from '../../engine/index.ts'

/** The tool has run: a denial is told to the agent, the work is not undone. */
const AFTER_TOOL: Capability = { can: ['pass', 'deny'], context: true, message: true }

/** No context on a stop: since 2.1.163 it makes the agent go on, as a denial does. */
const STOP_EVENT: Capability = { can: ['pass', 'deny'], message: true }

const START_EVENT: Capability = { can: ['pass'], context: true, message: true }

/**
 * Left out, so never answered: `session.end` (nobody is there to read it) and `other`, where a word can do harm:
 * WorktreeCreate takes stdout for a path.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': START_EVENT,
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    'tool.before': {
      can: ['pass', 'allow', 'ask', 'deny'],
      context: true,
      message: true,
      // without a decision too: the client then goes on to its own permission check (read in 2.1.325)
      rewrites: ['pass', 'allow', 'ask'],
    },
    'tool.after': AFTER_TOOL,
    'tool.failed': AFTER_TOOL,
    // `ask` is silence here: the client is about to ask the person
    'permission.request': { can: ['pass', 'allow', 'ask', 'deny'], message: true, rewrites: ['allow'] },
    'agent.start': START_EVENT,
    'agent.stop': STOP_EVENT,
    'turn.stop': STOP_EVENT,
    'compact.before': { can: ['pass', 'deny'], message: true },
    notification: { can: ['pass'], message: true },
  },
  shortens: true,
  // before 2.1.69 tool events did not carry `agent_id`, and a payload does not tell its client's version
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
