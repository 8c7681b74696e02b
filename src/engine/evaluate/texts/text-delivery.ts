import { joinDistinct } from '../../../lib/join-distinct.ts'
import { callerKey } from '../../model/caller.ts'
import type { GateMove, QueuedText } from '../../model/session.ts'
import type { Outcome } from '../../model/verdict.ts'
import type { Evaluation } from '../evaluation.ts'
import { CONTEXT_SEPARATOR } from '../merge.ts'

const MOST_QUEUED = 32

/** No client reports which agent spawned a subagent, so texts for the spawner go to the main agent. */
const SPAWNER = callerKey({ kind: 'main' })

/** Delivers each text now if this event can carry it; otherwise queues it for the recipient's next event that can. */
export function deliverTexts(
  walk: Evaluation,
  outcome: Outcome,
  warnings: readonly string[],
  moved: readonly GateMove[],
) {
  const { event, capability, session, program } = walk
  const isSilent = outcome.context === '' && outcome.message === '' && warnings.length + moved.length === 0
  if (isSilent && session.queue.length === 0 && event.kind !== 'session.start') return { outcome, queue: session.queue }
  const own = callerKey(event.caller)
  const able = { agent: capability.context === true, person: capability.message === true }
  const notices = event.kind === 'session.start' ? program.notices.map(notice => `signalbox: ${notice}`) : []
  // texts caused by a stopping agent are for the agent that spawned it
  const stopping = event.kind === 'agent.stop'
  const say = (who: QueuedText['for'], to: string, text: string): QueuedText => ({ for: who, to, text })
  const all = [
    ...session.queue,
    ...[outcome.context, ...notices, ...warnings].map(text =>
      say('agent', stopping && !able.agent ? SPAWNER : own, text),
    ),
    ...[outcome.message, ...notices].map(text => say('person', own, text)),
    ...moved.map(({ context }) => say('agent', stopping ? SPAWNER : own, context)),
    ...moved.map(({ message }) => say('person', stopping ? SPAWNER : own, message)),
  ].filter(({ text }) => text !== '')
  const isNow = (one: QueuedText): boolean => one.to === own && able[one.for]
  const texts = (who: QueuedText['for']) => all.filter(one => isNow(one) && one.for === who).map(one => one.text)
  return {
    outcome: {
      ...outcome,
      context: joinDistinct(texts('agent'), CONTEXT_SEPARATOR),
      message: joinDistinct(texts('person'), '\n'),
    },
    queue: all.filter(one => !isNow(one)).slice(-MOST_QUEUED),
  }
}
