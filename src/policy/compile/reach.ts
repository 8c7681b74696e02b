import { EVENT_KINDS, type EventKind } from '../../pattern/index.ts'
import type { RuleDoc } from '../schema/gate.ts'
import { type Context, warn } from './context.ts'

/** A refusal on an event that a client cannot block is never silent: said here, and to the agent when it happens. */
export function warnOfReach(context: Context, doc: RuleDoc, id: string, events: readonly EventKind[]): void {
  if (doc.then !== 'deny' && doc.then !== 'ask') return
  // a rule about everything means what can be refused
  if (events.length === EVENT_KINDS.length) return
  for (const { title, refuses } of context.input.clients) {
    const deaf = events.filter(kind => !refuses.includes(kind))
    if (deaf.length === 0) continue
    const kinds = deaf.map(kind => `\`${kind}\``).join(', ')
    warn(context, doc, 'then', `rule \`${id}\` cannot refuse ${kinds} on ${title}: the agent is told instead`)
  }
}
