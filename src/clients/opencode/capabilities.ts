import type { Capabilities } from '../../engine/index.ts'

/**
 * What the plugin can do (1.18.33): before a call it throws or replaces the arguments; after a call it adds to the result; it adds a part
 * to a prompt, or replaces the prompt with our reason; it denies a stop by sending a prompt. It cannot ask: `permission.ask` is
 * declared but never called. It cannot reply to plain events, so their messages wait for the next hook.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], message: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    'tool.before': { can: ['pass', 'deny'], message: true, rewrites: ['pass'] },
    'tool.after': { can: ['pass'], context: true, message: true },
    'tool.failed': { can: ['pass'], message: true },
    'agent.start': { can: ['pass'], message: true },
    // the text is appended to the subagent's answer, for the agent that spawned it
    'agent.stop': { can: ['pass'], context: true, message: true },
    'turn.stop': { can: ['pass', 'deny'], message: true },
    'compact.before': { can: ['pass'], message: true },
  },
  shortens: true,
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
