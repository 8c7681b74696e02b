import type { Reply } from '../../clients/index.ts'
import { actionsOfTool, type Event } from '../../engine/index.ts'
import { findAttestations, unsignedReason } from '../attestation/attestation.ts'
import { randomHex } from '../attestation/attestation-key.ts'
import {
  type AttestationContext,
  attestedEnds,
  beganAt,
  ensureAttestationKey,
  haveRunsEnded,
  recordRunStart,
  runCommandsOf,
  runStartKey,
  withRunEnds,
} from '../attestation/attested-ends.ts'
import {
  endPendingRun,
  findLateRuns,
  type LateRuns,
  NO_LATE_RUNS,
  PENDING_RUNS,
  savePendingRun,
} from '../attestation/late-runs.ts'
import type { FailureContext, HookServices, PreparedEvent, PreparedPayload } from '../services/hook-services.ts'
import { acquireEventLease, type LeaseRequest } from '../subhooks/event-lease.ts'
import { newReentrancyMarker, reentrancyMarkersIn } from '../subhooks/reentrancy-marker.ts'
import {
  answersOfSkippedHooks,
  type NamedSubHook,
  runSubHooks,
  type SubHookAnswer,
  type SubHookCall,
} from '../subhooks/sub-hooks.ts'
import type { AnalysedPayload } from './analyse-actions.ts'
import { analyseEvents, knownShellVariables, preparePayload } from './analyse-actions.ts'
import type { DecodedPayload } from './decode-payload.ts'
import { type RecordedReply, repeatReply, type StoredReply } from './recorded-reply.ts'
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
    reportsExit: call.client.capabilities.reportsExit,
  }
  const attested = (list: readonly PreparedEvent[]) =>
    list.map(ready => ({ ...ready, event: withAttestedEnds(ready.event, attesting) }))
  const sent = attested(prepared.sent)
  const rewritten = prepared.rewritten && attested(prepared.rewritten)
  const pending = store.claim(session, PENDING_RUNS)
  const look = (item: Event) => analyseEvents({ ...context, events: [item] }).sent
  const runs = pending ? findLateRuns(pending, sent[0]?.event, look, attesting) : NO_LATE_RUNS
  if (call.deadline?.isOver()) throw new Error('the reply came too late')
  return { sent, ...(rewritten && { rewritten }), runs, keeps: outcome.keeps }
}

interface Consulting extends Omit<SubHookCall, 'mark'>, Pick<LeaseRequest, 'store' | 'key' | 'left' | 'until'> {
  /** identifies the event if it arrives again */
  readonly identity: string | undefined
}

/** The answers of the sub-hooks, or the reply that another process gave meanwhile. */
type SubHookOutcome =
  | { readonly given: StoredReply }
  | { readonly answers: readonly SubHookAnswer[]; readonly keeps: Keeps }

/**
 * What is stored of the result. `record`: only the audit record, since another process may still store the reply. `nothing`: an outer
 * process is evaluating the same event.
 */
type Keeps = 'all' | 'record' | 'nothing'

const NO_SUB_HOOKS: SubHookOutcome = { answers: [], keeps: 'all' }

/** Runs the sub-hooks once per event, even if the event arrives several times or in several processes at once. */
async function runSubHooksOnce(hooks: readonly NamedSubHook[], given: Consulting): Promise<SubHookOutcome> {
  if (hooks.length === 0) return NO_SUB_HOOKS
  const { identity, event, env } = given
  const mark = newReentrancyMarker()
  const turn =
    identity === undefined
      ? 'ours'
      : await acquireEventLease({ ...given, identity, mark, inside: reentrancyMarkersIn(env) })
  if (turn === 'ours') return { answers: await runSubHooks(hooks, { ...given, mark }), keeps: 'all' }
  if (turn === 'late') return { answers: answersOfSkippedHooks(hooks, LATE, event), keeps: 'record' }
  return turn === 'inside' ? { answers: answersOfSkippedHooks(hooks, INSIDE, event), keeps: 'nothing' } : turn
}

const INSIDE = 'was not started: it would call itself'
const LATE = 'was not started: another process runs it for the same event and did not answer in time'

/**
 * Before a call: records when it begins. After a call: adds how its commands ended, from attestations in the payload or in the state
 * folder. If a command still runs when its call has ended, the call is kept until the command ends. A client that reports no exit codes may
 * not even report the end of such a call: there the call is kept from its beginning.
 */
function withAttestedEnds(event: Event, context: AttestationContext & { readonly reportsExit: boolean }): Event {
  if (!namesSignalbox(event)) return event
  if (event.kind === 'tool.before') {
    if (runCommandsOf(inForeground(event), context).length > 0) {
      recordRunStart(event, context)
      ensureAttestationKey(context.state)
      if (!context.reportsExit) savePendingRun(event, context.now, runStartKey(event), context)
    }
    return event
  }
  if (event.kind !== 'tool.after' && event.kind !== 'tool.failed') return event
  const all = runCommandsOf(inForeground(event), context)
  const at = all.length === 0 ? undefined : beganAt(event, context)
  if (at === undefined) return event
  const runs = runCommandsOf(event, context)
  const by = JSON.stringify([context.key.client, context.key.session, context.identity ?? randomHex(16)])
  const ends = attestedEnds(runs, { from: at, to: context.now, by }, findAttestations(context.text), context)
  if (event.call?.status === 'unknown' && !haveRunsEnded(all, ends))
    savePendingRun(event, at, runStartKey(event), context)
  else if (!context.reportsExit) endPendingRun(runStartKey(event), context)
  return withRunEnds(event, runs, name => ends.get(name), unsignedReason(context.text))
}

/** Only such a line can contain `signalbox run`. */
function namesSignalbox({ call }: Event): boolean {
  const reading = call && actionsOfTool(call.tool, call.input)
  return reading !== undefined && 'shell' in reading && reading.shell.includes('signalbox')
}

/** The same call, analysed as if it ran in the foreground. */
function inForeground(event: Event): Event {
  const { call } = event
  if (!call || !('run_in_background' in call.input)) return event
  const { run_in_background, ...input } = call.input
  return { ...event, call: { ...call, input } }
}
