import type { Reply } from '../../clients/index.ts'
import { withAttestedEnds } from '../attestation/attested-ends.ts'
import { findLateRuns, type LateRuns } from '../attestation/find-late-runs.ts'
import {
  analyseEvents,
  knownShellVariables,
  type PreparedEvent,
  type PreparedPayload,
  preparePayload,
} from '../events/prepare-event.ts'
import type { FailureContext } from '../failure/failure-reply.ts'
import type { HookServices } from '../services/hook-services.ts'
import { NO_SUB_HOOKS, runSubHooksOnce, type SubHookOutcome } from '../subhooks/run-once.ts'
import type { AnalysedPayload } from './analyse-actions.ts'
import type { DecodedPayload } from './decode-payload.ts'
import { type RecordedReply, repeatReply } from './recorded-reply.ts'
import type { Project } from './resolve-project.ts'

/** The payload with everything that its evaluation may know. */
export interface CompletePayload extends PreparedPayload {
  /** commands of earlier calls whose exit status is known now */
  readonly runs: LateRuns
  /** how much of the result is stored */
  readonly keeps: (SubHookOutcome & { readonly keeps: unknown })['keeps']
}

/** Phase 5: run the sub-hooks and read attestations of `signalbox run`. Returns a reply if another process answered the event meanwhile. */
export async function collectAnswers(
  { call }: DecodedPayload,
  { root, session }: Project,
  { identity }: RecordedReply,
  analysed: AnalysedPayload,
  { store, folders }: HookServices,
  failure: FailureContext,
): Promise<CompletePayload | { readonly reply: Reply }> {
  failure.cause = 'state'
  const { context, hooks, time } = analysed
  const event = analysed.sent[0]?.event
  const key = session
  const asking = { ...call, ...time, input: call.bytes, passed: call.deadline?.passed, store, key, identity }
  const outcome = event ? await runSubHooksOnce(hooks, { ...asking, event }) : NO_SUB_HOOKS
  if ('given' in outcome) return { reply: repeatReply(outcome.given, call) }
  const prepared = preparePayload(analysed, outcome.answers, context)
  const attesting = {
    ...context,
    ...asking,
    vars: knownShellVariables(call.client, root),
    text: call.text,
    state: folders.state,
  }
  const attested = (list: readonly PreparedEvent[]) =>
    list.map(ready => ({ ...ready, event: withAttestedEnds(ready.event, attesting) }))
  const sent = attested(prepared.sent)
  const rewritten = prepared.rewritten && attested(prepared.rewritten)
  const runs = findLateRuns(sent[0]?.event, one => analyseEvents({ ...context, events: [one] }).sent, attesting)
  if (call.deadline?.isOver()) throw new Error('the answer came too late')
  return { sent, ...(rewritten && { rewritten }), runs, keeps: outcome.keeps }
}
