import type { Capabilities, Capability } from '../../engine/index.ts'

/** `warning` carries context and messages on every event. */
const ANY_TEXT = { context: true, message: true } as const
const NOTIFY_ONLY: Capability = { can: ['pass'], ...ANY_TEXT }
const MAY_DENY: Capability = { can: ['pass', 'deny'], ...ANY_TEXT }
/** `approve` stands for no opinion and for an explicit allow. `ask` is not possible and becomes `block`. */
const MAY_DECIDE: Capability = { can: ['pass', 'allow', 'deny'], ...ANY_TEXT }

export const capabilities: Capabilities = {
  events: {
    'session.start': NOTIFY_ONLY,
    'session.end': NOTIFY_ONLY,
    'prompt.submit': MAY_DENY,
    'tool.before': MAY_DECIDE,
    'tool.after': MAY_DENY,
    'tool.failed': MAY_DENY,
    'permission.request': MAY_DECIDE,
    'agent.start': NOTIFY_ONLY,
    'agent.stop': MAY_DENY,
    'turn.stop': MAY_DENY,
    'compact.before': MAY_DENY,
    notification: NOTIFY_ONLY,
    other: NOTIFY_ONLY,
  },
  shortens: false,
  callers: 'marked',
  reportsExit: false,
  reportsEnd: false,
}
