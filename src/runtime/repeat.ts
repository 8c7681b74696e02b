import type { Reply } from '../clients/index.ts'
import type { Event } from '../core/index.ts'
import { isObject, type Json, type JsonObject } from '../pattern/index.ts'
import type { SessionKey, Store } from '../store/index.ts'
import { newMark } from './mark.ts'
import type { Request } from './request.ts'

/** What a payload is known by when it comes again: nothing, unless each of its events can be told. */
export function identityOf(
  events: readonly Event[],
  request: Request,
  store: Store,
  key: SessionKey,
): string | undefined {
  const known = events.flatMap(({ identity }) => identity ?? [])
  if (known.length > 0 && known.length === events.length) return known.join('\n')
  // a protocol without settings is registered nowhere twice
  return request.client.registrations.length === 0 ? undefined : deliveryOf(request, store, key)
}

/**
 * What a client gives no identity comes again only by way of another registration: one's own settings and a plugin, say. So a payload that
 * just came by another way, and not yet by this one, is the same event; by the same way it is a new one.
 */
function deliveryOf({ text, via = '', now }: Request, store: Store, key: SessionKey): string | undefined {
  const name = `delivered ${text}`
  const found = store.claim(key, name, last => {
    if (isDelivery(last) && last.until >= now && !last.ways.includes(via)) return { ...last, ways: [...last.ways, via] }
    return { until: now + TOGETHER_MS, mark: newMark(), ways: [via] }
  })
  return isDelivery(found) ? `${found.mark} ${name}` : undefined
}

/** A client starts all hooks of an event before it goes on; some of them one after the other. */
const TOGETHER_MS = 10_000

type Delivery = JsonObject & { readonly until: number; readonly mark: string; readonly ways: string[] }

const isDelivery = (claim: JsonObject | undefined): claim is Delivery =>
  typeof claim?.until === 'number' && typeof claim.mark === 'string' && Array.isArray(claim.ways)

/** A reply, and by which registration it went out. */
export interface Given extends Reply {
  readonly via?: string
}

/** A reply as the store kept it. */
export function readReply(kept: Json | undefined): Given | undefined {
  if (!isObject(kept)) return undefined
  const { exitCode, stdout, stderr, via } = kept
  if ((exitCode !== 0 && exitCode !== 2) || typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  return { exitCode, stdout, stderr, ...(typeof via === 'string' && { via }) }
}
