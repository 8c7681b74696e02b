import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../clients/index.ts'
import type { Event, Facts, SubHookReply } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { SubHookAnswer } from './sub-hooks.ts'

type Rewrite = NonNullable<Facts['rewrite']>

/** The result of the input rewrites that sub-hooks ask for. */
export type InputRewrite =
  | { readonly rewrite: Rewrite; readonly events: readonly Event[] }
  /** why no rewrite is applied */
  | { readonly problem: string }

interface Sent {
  readonly client: Client
  readonly payload: JsonObject
  readonly events: readonly Event[]
}

/** The new input that all sub-hooks agree on, and the events decoded with it. If they disagree, no rewrite is applied. */
export function agreedRewrite(
  answers: readonly SubHookAnswer[],
  { client, payload, events }: Sent,
): InputRewrite | undefined {
  const wanted = answers.flatMap(({ from, input }) =>
    input ? [{ by: from, call: client.rewritten?.(payload, input) }] : [],
  )
  const [first] = wanted
  if (!first) return undefined
  const by = wanted.map(item => item.by).join(', ')
  if (!wanted.every(candidate => isDeepStrictEqual(candidate.call, first.call)))
    return { problem: `${by} rewrite the same call differently: no rewrite is applied` }
  const again = first.call ? client.decode(first.call.payload, { event: events[0]?.name }) : []
  if (!first.call || again.length !== events.length) return { problem: rewriteNotAppliedText(by) }
  const { input } = first.call
  return { rewrite: { by, input }, events: again.map((event, nth) => withIdentity(event, events[nth])) }
}

export const rewriteNotAppliedText = (by: string): string =>
  `the rewrite of ${by} is not applied: the agent does not accept one at this event`

/** Drops an input that equals the call's own: it rewrites nothing. */
export function withoutUnchangedInput(answer: SubHookAnswer, { client, payload }: Sent): SubHookAnswer {
  const { input, ...rest } = answer
  return input && isDeepStrictEqual(client.rewritten?.(payload, input).payload, payload) ? rest : answer
}

/** An `allow` counts only for the input it was given with: the input as sent, or the rewritten one. */
export const repliesForInput = (
  answers: readonly SubHookAnswer[],
  which: 'sent' | 'rewritten',
): readonly SubHookReply[] =>
  answers.map(({ input, ...reply }) => {
    if (reply.verdict.decision !== 'allow' || (which === 'rewritten') === (input !== undefined)) return reply
    const { reason: _, ...texts } = reply.verdict
    return { ...reply, verdict: { ...texts, decision: 'pass' } }
  })

/** The rewritten event keeps the identity of the event as sent: a repeat of the event has that identity. */
function withIdentity(again: Event, sent: Event | undefined): Event {
  const { identity: _, ...rest } = again
  const identity = sent?.identity
  return identity === undefined ? rest : { ...rest, identity }
}
