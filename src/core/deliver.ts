import { join } from '../pattern/index.ts'
import { callerKey } from './caller.ts'
import { CONTEXT_RULE } from './merge.ts'
import type { Move, Queued } from './session.ts'
import type { Outcome } from './verdict.ts'
import type { Walk } from './walk.ts'

const MOST_QUEUED = 32

/** No client tells who spawned an agent: the main agent is the one that goes on. */
const SPAWNER = callerKey({ kind: 'main' })

/** Who hears what: now, where this event can carry it, else at the listener's next event that can. */
export function deliver(walk: Walk, outcome: Outcome, warnings: readonly string[], moved: readonly Move[]) {
  const { event, capability, session, program } = walk
  const isSilent = outcome.context === '' && outcome.message === '' && warnings.length + moved.length === 0
  if (isSilent && session.queue.length === 0 && event.kind !== 'session.start') return { outcome, queue: session.queue }
  const own = callerKey(event.caller)
  const able = { agent: capability.context === true, person: capability.message === true }
  const notices = event.kind === 'session.start' ? program.notices.map(notice => `signalbox: ${notice}`) : []
  // what a stopping agent brought about is for the one that spawned it
  const stopping = event.kind === 'agent.stop'
  const say = (who: Queued['for'], to: string, text: string): Queued => ({ for: who, to, text })
  const all = [
    ...session.queue,
    ...[outcome.context, ...notices, ...warnings].map(text =>
      say('agent', stopping && !able.agent ? SPAWNER : own, text),
    ),
    ...[outcome.message, ...notices].map(text => say('person', own, text)),
    ...moved.map(({ context }) => say('agent', stopping ? SPAWNER : own, context)),
    ...moved.map(({ message }) => say('person', stopping ? SPAWNER : own, message)),
  ].filter(({ text }) => text !== '')
  const isNow = (one: Queued): boolean => one.to === own && able[one.for]
  const texts = (who: Queued['for']) => all.filter(one => isNow(one) && one.for === who).map(one => one.text)
  return {
    outcome: { ...outcome, context: join(texts('agent'), CONTEXT_RULE), message: join(texts('person'), '\n') },
    queue: all.filter(one => !isNow(one)).slice(-MOST_QUEUED),
  }
}
