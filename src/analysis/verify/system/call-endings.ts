import type { CallStatus, Event, EventKind, Facts, Session } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import type { ClientProfile } from './client-profile.ts'

/** How a client tells of the end of a call. */
interface CallEnding {
  readonly kind: EventKind
  readonly status: CallStatus
  /** by the word of `signalbox run` */
  readonly ended?: 'succeeded' | 'failed'
}

interface CallEndingOptions {
  readonly witnessed?: boolean | undefined
  /** does anything ask how it ended? Then a launch, whose end nobody knows, is another end */
  readonly asked: boolean
}

export function possibleCallEndings(
  view: ClientProfile,
  call: Event,
  { witnessed, asked }: CallEndingOptions,
): readonly CallEnding[] {
  if (witnessed)
    return (['succeeded', 'failed'] as const).map(ended => ({ kind: 'tool.after', status: 'unknown', ended }))
  const isTold = view.reports(call)
  const failing: EventKind = view.has('tool.failed') ? 'tool.failed' : 'tool.after'
  const isFailureTold = view.has('tool.failed') || isTold
  return [
    { kind: 'tool.after', status: isTold ? 'succeeded' : 'unknown' },
    ...(isFailureTold ? [{ kind: failing, status: 'failed' } as const] : []),
    ...(isTold && asked ? [{ kind: 'tool.after', status: 'unknown' } as const] : []),
  ]
}

/**
 * A client that says how calls end leaves it open only where one was broken off, or launched: nothing an agent can count on. An agent that
 * is spawned in the background ends so for certain.
 */
export const isUnreliableEnding = (view: ClientProfile, event: Event): boolean => {
  const { kind, call } = event
  return (
    kind === 'tool.after' &&
    call?.status === 'unknown' &&
    call.tool !== 'Agent' &&
    call.acts.every(act => act.ended === undefined) &&
    view.reports(event)
  )
}

export const toCaller = (by: string): Event['caller'] =>
  by === 'main' ? { kind: 'main' } : { kind: 'agent', id: by, type: by }

/** Who makes a call, as the client tells it. */
export function reportedCaller(by: string, { untyped, mainType }: ClientProfile): Event['caller'] {
  if (by === 'main' && mainType !== undefined) return { kind: 'main', type: mainType }
  return by !== 'main' && untyped ? { kind: 'agent', id: by } : toCaller(by)
}

export const answerFacts = (answer: Json | undefined): Partial<Facts> => ({
  parsed: answer === undefined ? [] : [answer],
})

export const withoutSpawns = (session: Session): Session =>
  session.spawns.length === 0 ? session : { ...session, spawns: [] }

export function toCallEndEvent(
  event: Event,
  kind: EventKind,
  status: CallStatus,
  ended?: 'succeeded' | 'failed',
): Event {
  const { call } = event
  if (!call) return event
  const acts = ended ? call.acts.map(act => ({ ...act, ended })) : call.acts
  return { ...event, kind, call: { ...call, acts, status } }
}
