import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../clients/index.ts'
import type { Event, Facts, SubHookReply } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { SubHookAnswer } from './sub-hooks.ts'

type Rewrite = NonNullable<Facts['rewrite']>

/** What comes of the inputs that sub-hooks want the call to have. */
export type InputRewrite =
  | { readonly rewrite: Rewrite; readonly events: readonly Event[] }
  /** why none is applied */
  | { readonly problem: string }

interface Sent {
  readonly client: Client
  readonly payload: JsonObject
  readonly events: readonly Event[]
}

/** The one new input all agree on, and the events with it. Two different ones cannot both be, so neither is. */
export function agreedRewrite(
  answers: readonly SubHookAnswer[],
  { client, payload, events }: Sent,
): InputRewrite | undefined {
  const wanted = answers.flatMap(({ from, input }) =>
    input ? [{ by: from, call: client.rewritten?.(payload, input) }] : [],
  )
  const [first] = wanted
  if (!first) return undefined
  const by = wanted.map(one => one.by).join(', ')
  if (!wanted.every(one => isDeepStrictEqual(one.call, first.call)))
    return { problem: `${by} rewrite the same call differently: no rewrite is applied` }
  const again = first.call ? client.decode(first.call.payload, { event: events[0]?.name }) : []
  if (!first.call || again.length !== events.length) return { problem: rewriteNotApplied(by) }
  const { input } = first.call
  return { rewrite: { by, input }, events: again.map((event, nth) => withIdentity(event, events[nth])) }
}

export const rewriteNotApplied = (by: string): string =>
  `the rewrite of ${by} is not applied: it cannot be passed on here`

/** An input that is the call's own rewrites nothing. */
export function withoutUnchangedInput(answer: SubHookAnswer, { client, payload }: Sent): SubHookAnswer {
  const { input, ...rest } = answer
  return input && isDeepStrictEqual(client.rewritten?.(payload, input).payload, payload) ? rest : answer
}

/** An `allow` is for the input it was given with: that of the call as it was sent, or as it was rewritten. */
export const repliesForInput = (
  answers: readonly SubHookAnswer[],
  which: 'sent' | 'rewritten',
): readonly SubHookReply[] =>
  answers.map(({ input, ...reply }) => {
    if (reply.verdict.decision !== 'allow' || (which === 'rewritten') === (input !== undefined)) return reply
    const { reason: _, ...texts } = reply.verdict
    return { ...reply, verdict: { ...texts, decision: 'pass' } }
  })

/** It is still the event that the client sent: that one comes again if it comes twice, under its own identity. */
function withIdentity(again: Event, sent: Event | undefined): Event {
  const { identity: _, ...rest } = again
  const identity = sent?.identity
  return identity === undefined ? rest : { ...rest, identity }
}
