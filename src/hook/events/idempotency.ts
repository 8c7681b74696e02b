import type { Reply } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { SessionKey, Store } from '../../store/index.ts'
import type { HookCall } from '../services/hook-services.ts'
import { newReentrancyMarker } from '../subhooks/reentrancy-marker.ts'

/** Identifies a payload if it arrives again. Undefined: it cannot be recognized. */
export function eventIdentity(
  events: readonly Event[],
  request: HookCall,
  store: Store,
  key: SessionKey,
): string | undefined {
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
export function parseStoredReply(kept: Json | undefined): StoredReply | undefined {
  if (!isObject(kept)) return undefined
  const { exitCode, stdout, stderr, via } = kept
  if ((exitCode !== 0 && exitCode !== 2) || typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  return { exitCode, stdout, stderr, ...(typeof via === 'string' && { via }) }
}
