import type { Capabilities, Capability } from '../../engine/index.ts'

/** A denial replaces the result that the model reads; the work is not undone. */
const AFTER_TOOL: Capability = { can: ['pass', 'deny'], context: true, message: true }

/**
 * Events left out are never answered: `session.end` (not waited for) and `other`: a reply to a model request would change it.
 * `allow` is never sent: the client treats it as no opinion. There are no permission or agent events;
 * `agent.stop` is derived from BeforeTool of `complete_task`, or from the end of `invoke_agent`.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], context: true, message: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    // no context: BeforeTool's `additionalContext` is not read. `ask` holds the call (tested with 0.61.0)
    'tool.before': { can: ['pass', 'ask', 'deny'], message: true, rewrites: ['pass', 'ask'] },
    'tool.after': AFTER_TOOL,
    'tool.failed': AFTER_TOOL,
    'agent.stop': { can: ['pass', 'deny'], message: true },
    'turn.stop': { can: ['pass', 'deny'], message: true },
    'compact.before': { can: ['pass'], message: true },
    notification: { can: ['pass'], message: true },
  },
  shortens: true,
  callers: 'inferred',
  reportsExit: true,
  reportsEnd: true,
}
