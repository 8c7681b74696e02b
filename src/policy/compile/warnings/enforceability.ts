import { EVENT_KINDS, type EventKind } from '../../../engine/index.ts'
import type { RuleDoc } from '../../schema/gate.ts'
import { type CompileContext, reportWarning } from '../context.ts'

/** A refusal on an event that a client cannot block is never silent: said here, and to the agent when it happens. */
export function warnOfUnenforceableRule(
  context: CompileContext,
  doc: RuleDoc,
  id: string,
  events: readonly EventKind[],
): void {
  if (doc.then !== 'deny' && doc.then !== 'ask') return
  // a rule about everything means what can be refused
  if (events.length === EVENT_KINDS.length) return
  // who writes `tool.after` means a call that failed as well, by whatever name a client tells of it
  const isMeantToo = events.includes('tool.after') && !JSON.stringify(doc.when).includes('tool.failed')
  for (const { id: client, title, refuses, tells } of context.input.clients) {
    const isAside = !refuses.includes('tool.after') || !tells.includes('tool.failed')
    const deaf = events.filter(kind => !refuses.includes(kind) && !(kind === 'tool.failed' && isMeantToo && isAside))
    if (deaf.length === 0) continue
    const name = (kind: EventKind): string =>
      kind === 'tool.failed' && isMeantToo ? '`tool.after` of a call that failed' : `\`${kind}\``
    const kinds = deaf.map(name).join(', ')
    reportWarning(
      context,
      doc,
      'then',
      `rule \`${id}\` cannot refuse ${kinds} on ${title}: the agent is told instead`,
      {
        client,
      },
    )
  }
}
