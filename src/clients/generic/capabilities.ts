import type { Capabilities, Capability } from '../../core/index.ts'

/** Whatever else is to be said goes into `warning`, on any event. */
const SAYS = { context: true, message: true } as const
const TOLD: Capability = { can: ['pass'], ...SAYS }
const REFUSED: Capability = { can: ['pass', 'deny'], ...SAYS }
/** `approve` is all there is: no opinion and an explicit allow are the same word. A question nobody puts is a `block`. */
const DECIDED: Capability = { can: ['pass', 'allow', 'deny'], ...SAYS }

export const capabilities: Capabilities = {
  events: {
    'session.start': TOLD,
    'session.end': TOLD,
    'prompt.submit': REFUSED,
    'tool.before': DECIDED,
    'tool.after': REFUSED,
    'tool.failed': REFUSED,
    'permission.request': DECIDED,
    'agent.start': TOLD,
    'agent.stop': REFUSED,
    'turn.stop': REFUSED,
    'compact.before': REFUSED,
    notification: TOLD,
    other: TOLD,
  },
  shortens: false,
  callers: 'marked',
  reportsExit: false,
  reportsEnd: false,
}
