import type { CallStatus, Event, EventKind, Facts, Session } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import type { ClientProfile } from './client-profile.ts'

/** One way in which a client can report the end of a call. */
interface CallEnding {
  readonly kind: EventKind
  readonly status: CallStatus
  /** from the attestation that `signalbox run` prints */
  readonly attestedStatus?: 'succeeded' | 'failed'
}

interface CallEndingOptions {
  readonly isAttested?: boolean | undefined
  /** does any gate depend on the status? Then a background launch (status unknown) is a separate ending */
  readonly isStatusRead: boolean
}

export function possibleCallEndings(
  profile: ClientProfile,
  call: Event,
  { isAttested, isStatusRead }: CallEndingOptions,
): readonly CallEnding[] {
  if (isAttested)
    return (['succeeded', 'failed'] as const).map(ended => ({
      kind: 'tool.after',
      status: 'unknown',
      attestedStatus: ended,
    }))
  const isReported = profile.reportsStatus(call)
  const failing: EventKind = profile.sendsEvent('tool.failed') ? 'tool.failed' : 'tool.after'
  const isFailureReported = profile.sendsEvent('tool.failed') || isReported
  return [
    { kind: 'tool.after', status: isReported ? 'succeeded' : 'unknown' },
    ...(isFailureReported ? [{ kind: failing, status: 'failed' } as const] : []),
    ...(isReported && isStatusRead ? [{ kind: 'tool.after', status: 'unknown' } as const] : []),
  ]
}

/**
 * A client that reports statuses leaves one unknown only if the call was interrupted or launched in the background, which an agent
 * cannot rely on. Agents spawned in the background always end with an unknown status.
 */
export const isUnreliableEnding = (profile: ClientProfile, event: Event): boolean => {
  const { kind, call } = event
  return (
    kind === 'tool.after' &&
    call?.status === 'unknown' &&
    call.tool !== 'Agent' &&
    call.acts.every(act => act.ended === undefined) &&
    profile.reportsStatus(event)
  )
}

export const toCaller = (actor: string): Event['caller'] =>
  actor === 'main' ? { kind: 'main' } : { kind: 'agent', id: actor, type: actor }

/** The caller as the client reports it. */
export function reportedCaller(actor: string, { omitsAgentTypes, mainType }: ClientProfile): Event['caller'] {
  if (actor === 'main' && mainType !== undefined) return { kind: 'main', type: mainType }
  return actor !== 'main' && omitsAgentTypes ? { kind: 'agent', id: actor } : toCaller(actor)
}

export const factsWithAnswer = (answer: Json | undefined): Partial<Facts> => ({
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
