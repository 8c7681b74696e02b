import type { Reply } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { ensurePrivateFolder } from '../../policy/index.ts'
import { isWriteFailure, type SessionKey, type Store } from '../../store/index.ts'
import type { FailureContext, HookCall, HookServices } from '../services/hook-services.ts'
import { newReentrancyMarker } from '../subhooks/reentrancy-marker.ts'
import type { DecodedPayload } from './decode-payload.ts'
import type { Project } from './resolve-project.ts'

/** Whether the payload has been answered before. */
export interface RecordedReply {
  /** undefined: the payload cannot be recognized if it comes again */
  readonly identity: string | undefined
  readonly reply: Reply | undefined
}

/** Phase 3: the same event again gets the same reply and changes nothing. */
export function findRecordedReply(
  { call, events }: DecodedPayload,
  { session }: Project,
  { store, folders }: HookServices,
  failure: FailureContext,
): RecordedReply {
  failure.cause = 'state'
  createStateFolder(folders.state)
  const identity = eventIdentity(events, call, store, session)
  const stored = identity === undefined ? undefined : parseStoredReply(store.recall(session, identity))
  failure.cause = undefined
  return { identity, reply: stored && repeatReply(stored, call) }
}

/**
 * If an event arrives through several registrations, one of them prints the reply and the others print nothing. All of them print a denial:
 * it must not depend on which registration the client reads.
 */
export function repeatReply({ via: answeredVia, ...reply }: StoredReply, { borrowed, via = '' }: HookCall): Reply {
  const isOtherRegistration = borrowed || (answeredVia !== undefined && answeredVia !== via)
  return isOtherRegistration && !reply.refuses ? { exitCode: 0, stdout: '', stderr: '' } : reply
}

/** Identifies a payload if it arrives again. Undefined: it cannot be recognized. */
function eventIdentity(events: readonly Event[], request: HookCall, store: Store, key: SessionKey): string | undefined {
  const known = events.flatMap(({ identity }) => identity ?? [])
  if (known.length > 0 && known.length === events.length) return known.join('\n')
  // a protocol without settings files cannot be registered twice
  if (request.client.registrations.length === 0) return byCall(request)
  return deliveryOf(request, store, key)
}

/** For a process that takes over a call from a daemon that is gone. The text is included, so that only the same call matches. */
const byCall = ({ call, text }: HookCall): string | undefined =>
  call === undefined ? undefined : `${call} sent ${text}`

/**
 * A payload without an identity arrives again only through another registration, such as user settings and a plugin. So the same payload
 * through another registration soon after is the same event; through the same registration it is a new event.
 */
function deliveryOf({ text, via = '', call, now }: HookCall, store: Store, key: SessionKey): string | undefined {
  const name = `delivered ${text}`
  const mark = call ?? newReentrancyMarker()
  const found = store.claim(key, name, last => {
    // a later end dates from before the clock was set back
    const open = isDelivery(last) && last.until >= now && last.until <= now + 2 * TOGETHER_MS ? last : undefined
    // taken over from a daemon that is gone
    if (open?.calls?.includes(mark)) return undefined
    if (open && !open.ways.includes(via))
      return { ...open, ways: [...open.ways, via], calls: [...(open.calls ?? []), mark] }
    return { until: now + TOGETHER_MS, mark, ways: [via], calls: [mark] }
  })
  return isDelivery(found) ? `${found.mark} ${name}` : undefined
}

/** A client starts all hooks of an event before it continues, some of them one after the other. */
const TOGETHER_MS = 10_000

type Delivery = JsonObject & {
  readonly until: number
  readonly mark: string
  readonly ways: string[]
  readonly calls?: string[]
}

const isDelivery = (claim: JsonObject | undefined): claim is Delivery =>
  typeof claim?.until === 'number' && typeof claim.mark === 'string' && Array.isArray(claim.ways)

/** A reply, and the registration it was given to. */
export interface StoredReply extends Reply {
  readonly via?: string
}

/** Parses a reply from the store. */
export function parseStoredReply(stored: Json | undefined): StoredReply | undefined {
  if (!isObject(stored)) return undefined
  const { exitCode, stdout, stderr, refuses, via } = stored
  if ((exitCode !== 0 && exitCode !== 2) || typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  // a reply that does not say so was stored by an earlier version: it may refuse
  return {
    exitCode,
    stdout,
    stderr,
    ...(refuses !== false && { refuses: true }),
    ...(typeof via === 'string' && { via }),
  }
}

/** A write failure is ignored here: the store reports it when the state is loaded. */
function createStateFolder(folder: string): void {
  try {
    ensurePrivateFolder(folder)
  } catch (error) {
    if (!isWriteFailure(error)) throw error
  }
}
