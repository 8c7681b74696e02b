import type { Capabilities } from '../../engine/index.ts'

/**
 * As the plugin can carry it out (1.18.33): before a call it throws, or replaces the arguments; after it, it adds to the result; a
 * prompt gets a part more, or our reason in its place; a stop is held by a prompt of ours. There is nobody to ask: `permission.ask`
 * is declared and never called. To events it is only told of it cannot add a word, so those wait for the next hook.
 */
export const capabilities: Capabilities = {
  events: {
    'session.start': { can: ['pass'], message: true },
    'prompt.submit': { can: ['pass', 'deny'], context: true, message: true },
    'tool.before': { can: ['pass', 'deny'], message: true, rewrites: ['pass'] },
    'tool.after': { can: ['pass'], context: true, message: true },
    'tool.failed': { can: ['pass'], message: true },
    'agent.start': { can: ['pass'], message: true },
    // the words stand behind the agent's answer, for who spawned it
    'agent.stop': { can: ['pass'], context: true, message: true },
    'turn.stop': { can: ['pass', 'deny'], message: true },
    'compact.before': { can: ['pass'], message: true },
  },
  shortens: true,
  callers: 'marked',
  reportsExit: true,
  reportsEnd: true,
}
