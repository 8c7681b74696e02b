import { EVENT_KINDS, type EventKind } from '../../../engine/index.ts'
import type { RuleDoc } from '../../schema/gate.ts'
import { type CompileContext, reportWarning } from '../context.ts'

/** Warns of a rule that denies an event which a client cannot block. At run time the agent gets the message instead. */
export function warnOfUnenforceableRule(
  context: CompileContext,
  doc: RuleDoc,
  id: string,
  events: readonly EventKind[],
): void {
  if (doc.then !== 'deny' && doc.then !== 'ask') return
  // a rule for all events is meant for the events that can be denied
  if (events.length === EVENT_KINDS.length) return
  // `tool.after` in a policy includes failed calls, whatever the client calls that event
  const isMeantToo = events.includes('tool.after') && !JSON.stringify(doc.when).includes('tool.failed')
  for (const { id: client, title, refuses, textEvents } of context.input.clients) {
    const isAside = !refuses.includes('tool.after') || !textEvents.includes('tool.failed')
    const deaf = events.filter(kind => !refuses.includes(kind) && !(kind === 'tool.failed' && isMeantToo && isAside))
    if (deaf.length === 0) continue
    const name = (kind: EventKind): string =>
      kind === 'tool.failed' && isMeantToo ? '`tool.after` of a call that failed' : `\`${kind}\``
    const kinds = deaf.map(name).join(', ')
    reportWarning(
      context,
      doc,
      'then',
      `rule \`${id}\` cannot deny ${kinds} on ${title}: the agent only gets the text`,
      {
        client,
      },
    )
  }
}
