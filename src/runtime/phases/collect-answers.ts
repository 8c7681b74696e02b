import type { Reply } from '../../clients/index.ts'
import { type Consulted, consult, NOBODY } from '../consult.ts'
import type { FailureContext } from '../fail.ts'
import { type LateRuns, lateRunsAt } from '../late-runs/late.ts'
import { look, type Preparation, prepare, type Ready, shellVars } from '../ready.ts'
import type { House } from '../request.ts'
import { withWitnesses } from '../witnessed.ts'
import type { AnalysedPayload } from './analyse-actions.ts'
import type { DecodedPayload } from './decode-payload.ts'
import { type RecordedReply, repeatReply } from './recorded-reply.ts'
import type { Project } from './resolve-project.ts'

/** The payload with everything that may be known when it is evaluated. */
export interface CompletePayload extends Preparation {
  /** commands of earlier calls whose end is known now */
  readonly runs: LateRuns
  /** how much of the result is stored */
  readonly keeps: (Consulted & { readonly keeps: unknown })['keeps']
}

/** Phase 5: run the sub-hooks, and read attestations of `signalbox run`. A reply: another process answered the event meanwhile. */
export async function collectAnswers(
  { call }: DecodedPayload,
  { root, session }: Project,
  { identity }: RecordedReply,
  analysed: AnalysedPayload,
  { store, folders }: House,
  failure: FailureContext,
): Promise<CompletePayload | { readonly reply: Reply }> {
  failure.cause = 'state'
  const { context, hooks, time } = analysed
  const event = analysed.sent[0]?.event
  const key = session
  const asking = { ...call, ...time, input: call.bytes, passed: call.deadline?.passed, store, key, identity }
  const outcome = event ? await consult(hooks, { ...asking, event }) : NOBODY
  if ('given' in outcome) return { reply: repeatReply(outcome.given, call) }
  const prepared = prepare(analysed, outcome.answers, context)
  const attesting = {
    ...context,
    ...asking,
    vars: shellVars(call.client, root),
    text: call.text,
    state: folders.state,
  }
  const attested = (list: readonly Ready[]) =>
    list.map(ready => ({ ...ready, event: withWitnesses(ready.event, attesting) }))
  const sent = attested(prepared.sent)
  const rewritten = prepared.rewritten && attested(prepared.rewritten)
  const runs = lateRunsAt(sent[0]?.event, one => look({ ...context, events: [one] }).sent, attesting)
  if (call.deadline?.isOver()) throw new Error('the answer came too late')
  return { sent, ...(rewritten && { rewritten }), runs, keeps: outcome.keeps }
}
