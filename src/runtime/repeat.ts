import type { Reply } from '../clients/index.ts'
import type { Event } from '../core/index.ts'
import { isObject, type Json } from '../pattern/index.ts'

/** What a payload is known by when it comes again: nothing, unless each of its events can be told. */
export function identityOf(events: readonly Event[]): string | undefined {
  const known = events.flatMap(({ identity }) => identity ?? [])
  return known.length > 0 && known.length === events.length ? known.join('\n') : undefined
}

/** A reply as the store kept it. */
export function readReply(kept: Json | undefined): Reply | undefined {
  if (!isObject(kept)) return undefined
  const { exitCode, stdout, stderr } = kept
  if ((exitCode !== 0 && exitCode !== 2) || typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  return { exitCode, stdout, stderr }
}
