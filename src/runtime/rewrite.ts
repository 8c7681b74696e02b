import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../clients/index.ts'
import type { Event, Facts } from '../core/index.ts'
import type { JsonObject } from '../pattern/index.ts'
import type { Answer } from './sub-hooks.ts'

type Rewrite = NonNullable<Facts['rewrite']>

/** What comes of the inputs that sub-hooks want the call to have. */
export type Rewriting =
  | { readonly rewrite: Rewrite; readonly event: Event }
  /** why none is applied */
  | { readonly problem: string }

/** The one new input all agree on, and the event with it. Two different ones cannot both be, so neither is. */
export function rewriting(
  answers: readonly Answer[],
  events: readonly Event[],
  client: Client,
  payload: JsonObject,
): Rewriting | undefined {
  const wanted = answers.flatMap(({ from, input }) => {
    const next = input && (client.withInput?.(payload, input) ?? {})
    return next && !isDeepStrictEqual(next, payload) ? [{ by: from, input, next }] : []
  })
  const [first] = wanted
  const [event, second] = events
  if (!first || !event) return undefined
  const by = wanted.map(one => one.by).join(', ')
  if (!wanted.every(one => isDeepStrictEqual(one.input, first.input)))
    return { problem: `${by} rewrite the same call differently: no rewrite is applied` }
  const again = client.withInput && !second ? client.decode(first.next, { event: event.name })[0] : undefined
  if (!again) return { problem: notHere(by) }
  return { rewrite: { by, input: first.input }, event: withIdentity(again, event) }
}

export const notHere = (by: string): string => `the rewrite of ${by} is not applied: it cannot be passed on here`

/** It is still the event that the client sent: that one comes again if it comes twice, under its own identity. */
function withIdentity(again: Event, { identity }: Event): Event {
  const { identity: _, ...rest } = again
  return identity === undefined ? rest : { ...rest, identity }
}
