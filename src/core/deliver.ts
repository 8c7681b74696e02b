import { callerKey } from './caller.ts'
import { CONTEXT_RULE, join } from './merge.ts'
import type { Move, Queued } from './session.ts'
import type { Outcome } from './verdict.ts'
import type { Walk } from './walk.ts'

const MOST_QUEUED = 32

/** No client tells who spawned an agent: the main agent is the one that goes on. */
const SPAWNER = callerKey({ kind: 'main' })

/** Who hears what: now, where this event can carry it, else at the same caller's next event that can. */
export function deliver(walk: Walk, outcome: Outcome, warnings: readonly string[], moved: readonly Move[]) {
  const { event, capability, session, program } = walk
  // what a stopping agent brought about is for the one that spawned it
  const stopping = event.kind === 'agent.stop'
  const listener = stopping ? SPAWNER : callerKey(event.caller)
  const notices = event.kind === 'session.start' ? program.notices.map(notice => `signalbox: ${notice}`) : []
  const channel = (
    who: Queued['for'],
    able: boolean | undefined,
    texts: readonly string[],
    ofMoves: readonly string[],
    between: string,
  ) => {
    const can = able === true
    const due = can ? session.queue.filter(one => one.to === callerKey(event.caller) && one.for === who) : []
    const now = can ? [...due.map(one => one.text), ...texts, ...(stopping ? [] : ofMoves)] : []
    const later = can ? (stopping ? ofMoves : []) : [...texts, ...ofMoves]
    const queued = later.filter(text => text !== '').map((text): Queued => ({ to: listener, for: who, text }))
    return { due, text: join(now, between), queued }
  }
  const agent = channel(
    'agent',
    capability.context,
    [outcome.context, ...notices, ...warnings],
    moved.map(move => move.context),
    CONTEXT_RULE,
  )
  const person = channel(
    'person',
    capability.message,
    [outcome.message, ...notices],
    moved.map(move => move.message),
    '\n',
  )
  const left = session.queue.filter(one => !agent.due.includes(one) && !person.due.includes(one))
  return {
    outcome: { ...outcome, context: agent.text, message: person.text },
    queue: [...left, ...agent.queued, ...person.queued].slice(-MOST_QUEUED),
  }
}
