import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../../clients/index.ts'
import {
  actionsOfTool,
  type Capabilities,
  type EvaluationResult,
  type EvaluationTools,
  type Event,
  type EventRecord,
  evaluate,
  type Session,
} from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import type { AuditRecord, LoadedSession, StoreStep } from '../../store/index.ts'
import { withApprovalTrace } from '../approval/approval-trace.ts'
import { bypassEndRecord, bypassNotes, endBypass } from '../approval/bypass.ts'
import { evaluateLateRuns, noteGatesClosedMeanwhile, SPOILED_RUNS } from '../attestation/late-runs.ts'
import { MISSED_RUNS, mayEndUnreported, withMissedRuns } from '../attestation/missed-run.ts'
import type { EvaluationPlans } from '../budget/evaluation-budget.ts'
import { clientToolNameNote } from '../events/actions.ts'
import { type EvaluatedEvent, type ExportContext, withExportNotes } from '../exports/exports.ts'
import { resetGates } from '../failure/state-loss.ts'
import { closeFailClosedGates, withUnwritableNotice } from '../failure/unwritable-state.ts'
import {
  ALARM_FOLDER,
  type EventNotices,
  NO_NOTICES,
  takeAlarmNotices,
  UNEVALUATED_PREFIX,
  withUnevaluatedNotice,
} from '../notices/notices.ts'
import { buildReply } from '../reply/build-reply.ts'
import { suggestionConflicts } from '../reply/suggestion-order.ts'
import type { HookServices, PreparedEvent } from '../services/hook-services.ts'
import { type AnalysedPayload, withActionsIn } from './analyse-actions.ts'
import type { CompletePayload } from './collect-answers.ts'
import type { DecodedPayload } from './decode-payload.ts'
import { parseStoredReply, type RecordedReply, repeatReply } from './recorded-reply.ts'
import type { Project } from './resolve-project.ts'
import { approvalNote } from './resolve-project.ts'

/** The reply, and what is exported after the commit: nothing if the event had been answered before. */
export interface DecisionWithExports {
  readonly reply: Reply
  readonly exportContext?: ExportContext
}

/** The results of all phases before the transaction. */
export interface Prepared {
  readonly decoded: DecodedPayload
  readonly project: Project
  readonly recorded: RecordedReply
  readonly analysed: AnalysedPayload
  readonly complete: CompletePayload
  /** when the payload arrived, on the process's own clock */
  readonly began: number
}

/** How often an event is evaluated again because a gate changed its state while the code of a gate was running. */
const MOST_EVALUATIONS = 5

/** Phase 6: evaluate, save the session and write the audit records in one transaction. */
export async function decide(prepared: Prepared, services: HookServices): Promise<DecisionWithExports> {
  const { call } = prepared.decoded
  const { root, policy, session } = prepared.project
  const { plans, codeGates } = prepared.analysed
  const { expiryHours, keeps } = policy.program.settings
  const about = { root, now: call.now, expiryHours, keeps }
  const decideInTransaction = decideIn(prepared, services)
  let printed = ''
  for (let evaluations = 0; evaluations < MOST_EVALUATIONS; evaluations++) {
    const decision = services.store.transact(session, about, decideInTransaction, plans.isExpensive)
    if (decision) return printed === '' ? decision : withPrinted(decision, printed)
    printed += await codeGates.answerQuestions()
    if (call.deadline?.isOver()) throw new Error('the reply came too late')
  }
  throw new Error('its gates changed their state faster than the code of a gate could answer')
}

/** What the code of a gate printed, before our own words. */
const withPrinted = (decision: DecisionWithExports, printed: string): DecisionWithExports => ({
  ...decision,
  reply: { ...decision.reply, stderr: printed + decision.reply.stderr },
})

/** The store may call this more than once. Returns undefined if the code of a gate has to answer first. */
function decideIn(
  prepared: Prepared,
  services: HookServices,
): (loaded: LoadedSession) => StoreStep<DecisionWithExports | undefined> {
  const { call } = prepared.decoded
  const { bypasses, policy } = prepared.project
  const { identity } = prepared.recorded
  const { keeps } = prepared.complete
  const ended = bypasses.over
    .filter(bypass => endBypass(services.folders.state, bypass))
    .map(bypass => bypassEndRecord(bypass, call.now))
  // reading the notices marks them as shown, so it happens once, even if the store calls again
  let notices: EventNotices | undefined

  return loaded => {
    const storedReply = identity === undefined ? undefined : parseStoredReply(loaded.recall(identity))
    if (storedReply) return { records: ended, result: { reply: repeatReply(storedReply, call) } }
    notices ??= noticesFor(prepared, services)
    const evaluated = evaluateIn(loaded, notices, prepared, services)
    if (prepared.analysed.codeGates.hasOpenQuestions()) return { records: [], result: undefined }
    const tookMs = Math.max(process.uptime() * 1000 - prepared.began, 0)
    const exportContext = exportContextOf(evaluated, prepared, services)
    const { unwritable, restarted } = loaded
    const shown = unwritable ? withUnwritableNotice(notices, unwritable, noticeContextOf(prepared, services)) : notices
    const remarks = prepared.analysed.plans.remarks()
    const texts = { notices: services.store.notices, shown, bypasses: bypasses.inForce, remarks }
    const reply = buildReply(exportContext, prepared.decoded.events, { tookMs, restarted, ...texts })
    if (keeps === 'nothing') return { records: ended, result: { reply } }
    const session = policy.exports.length === 0 ? evaluated.session : withExportNotes(exportContext)
    const records = [...evaluated.late, ...evaluated.judged].map(event => auditRecord(event, tookMs, prepared))
    const stored = { ...reply, refuses: reply.refuses === true, via: call.via ?? '' }
    return {
      session,
      records: [...ended, ...records],
      ...(identity !== undefined && keeps === 'all' && { answer: { identity, reply: stored } }),
      result: { reply, exportContext: { ...exportContext, session } },
    }
  }
}

/** Usually nothing is to be shown, and the files for it are missing. */
function noticesFor(prepared: Prepared, services: HookServices): EventNotices {
  const { call } = prepared.decoded
  const { state } = services.folders
  const files = [ALARM_FOLDER, UNEVALUATED_PREFIX + call.client.id]
  if (!files.some(name => existsSync(join(state, name)))) return NO_NOTICES
  const context = noticeContextOf(prepared, services)
  return withUnevaluatedNotice(takeAlarmNotices(prepared.project.policy.program, context), call.client.id, context)
}

const noticeContextOf = ({ decoded: { call, events }, project }: Prepared, { folders }: HookServices) => ({
  state: folders.state,
  kind: project.bypasses.isOff ? undefined : events[0]?.kind,
  capabilities: call.client.capabilities,
})

/** Evaluates the payload in the stored session. State that was lost, or cannot be written, closes gates that fail closed. */
function evaluateIn(
  { session, unwritable, restarted }: LoadedSession,
  { notices }: EventNotices,
  { decoded, project, analysed: { plans, codeGates, context }, complete }: Prepared,
  { regex }: HookServices,
) {
  const { program: own } = project.policy
  const program = notices.length > 0 ? { ...own, notices: [...own.notices, ...notices] } : own
  return evaluatePayload(complete, unwritable ? closeFailClosedGates(session, program) : session, {
    program: restarted || unwritable ? resetGates(program) : program,
    plans,
    capabilities: decoded.call.client.capabilities,
    regex,
    codeGates: codeGates.byGate,
    conflicts: (...asked) => suggestionConflicts(withActionsIn(context), ...asked),
  })
}

/** What exports and the reply are made from. */
function exportContextOf(
  { judged, session }: ReturnType<typeof evaluatePayload>,
  { decoded: { call, payload }, project: { root, policy } }: Prepared,
  { regex }: HookServices,
): ExportContext {
  const { client, now, env } = call
  const { program, exports } = policy
  return { client, exports, program, judged, session, root, now, env, regex, spent: client.spent?.(payload) }
}

/** The audit record with the details that only the hook knows: time, project, agent, approval, bypasses, budget. */
function auditRecord(
  { event, result: { record } }: EvaluatedEvent,
  tookMs: number,
  { project, analysed, decoded }: Prepared,
): AuditRecord {
  const { plans } = analysed
  const { root, approval, allBypasses } = project
  return {
    ...record,
    ms: Math.round(tookMs * 100) / 100,
    root,
    ...recordDetails(event, record),
    notes: [
      ...(approval ? [approvalNote(approval)] : []),
      ...record.notes,
      ...(allBypasses.length === 0 ? [] : bypassNotes(record, allBypasses)),
      ...clientToolNameNote(event, decoded.call.client),
    ],
    ...(plans.isWhitelisted(event) && { whitelisted: true }),
    ...(plans.isExpensive && { errors: [...record.errors, ...plans.remarks()] }),
  }
}

interface RecordDetails {
  readonly line?: string
  readonly background?: true
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
}

/** What an audit record keeps beside the actions: they show neither how commands were joined nor how the call ended. */
function recordDetails({ call, kind }: Event, { acts }: Pick<EventRecord, 'acts'>): RecordDetails {
  if (!call) return {}
  const ended = kind === 'tool.after' || kind === 'tool.failed' ? call.status : undefined
  const reading = actionsOfTool(call.tool, call.input)
  if (!('shell' in reading)) return ended === undefined ? {} : { ended }
  const line = reading.shell.trim()
  const [only, second] = acts
  const isInAction = second === undefined && (only === `run ${line}` || only === `unreadable ${reading.shell}`)
  return {
    ...(!isInAction && line !== '' && { line }),
    ...(reading.background && { background: true as const }),
    ...(ended !== undefined && { ended }),
  }
}

interface Judging extends Pick<EvaluationTools, 'regex' | 'codeGates'> {
  readonly program: Policy
  readonly plans: EvaluationPlans
  readonly capabilities: Capabilities
  readonly conflicts: NonNullable<EvaluationTools['conflicts']>
}

/** Evaluates late runs first, then the payload's events: as a sub-hook rewrote them if the rewrite counts, else as sent. */
function evaluatePayload({ sent, rewritten, runs }: CompletePayload, loaded: Session, judging: Judging) {
  const { program, plans, capabilities, regex, codeGates, conflicts } = judging
  const toolsFor = (ready: PreparedEvent): EvaluationTools => ({
    ...{ regex, codeGates: codeGates ?? {}, views: plans.of(ready)?.views, conflicts },
  })
  const inputFor = (ready: PreparedEvent, session: Session) => ({
    ...{ ...ready, session, capabilities, program: plans.of(ready)?.within(program) ?? program },
  })
  const late =
    runs.ended.length === 0
      ? { session: loaded, judged: [] }
      : evaluateLateRuns(runs.ended, loaded, { program, capabilities, tools: toolsFor })
  const judge = (list: readonly PreparedEvent[]) => ({
    ...judgeAll(list, late.session, (ready, session) => {
      const input = inputFor(ready, session)
      const evaluated = evaluate(input, toolsFor(ready))
      const isDenied = evaluated.outcome.decision === 'deny'
      const result = isDenied ? evaluated : withApprovalTrace(evaluated, input, toolsFor(ready))
      return concernsRuns(input, result) ? withMissedRuns(result, input) : result
    }),
    list,
  })
  const first = rewritten && judge(rewritten)
  const { list, judged, session } = first?.judged.some(isSettled) ? first : judge(sent)
  const happened = list.filter((_, nth) => judged[nth] && judged[nth].result.outcome.decision !== 'deny')
  const seen = () => happened.map(event => ({ input: inputFor(event, late.session), tools: toolsFor(event) }))
  const hasRunning = runs.running.length > 0 || session.exported?.[SPOILED_RUNS] !== undefined
  const after = hasRunning ? noteGatesClosedMeanwhile(session, runs.running, seen) : session
  return { session: after, judged, late: late.judged }
}

/** A command may have ended, or the session holds why earlier runs did not count. */
const concernsRuns = (input: Parameters<typeof withMissedRuns>[1], { session, outcome }: EvaluationResult): boolean =>
  input.event.kind === 'tool.after' ||
  input.event.kind === 'tool.failed' ||
  session.exported?.[MISSED_RUNS] !== undefined ||
  (!input.capabilities.reportsExit && outcome.decision !== 'deny' && mayEndUnreported(input))

/** A rewrite counts if the rewritten call is denied or the client receives the new input. Otherwise the call runs as sent. */
const isSettled = ({ result: { outcome } }: EvaluatedEvent): boolean =>
  outcome.decision === 'deny' || outcome.input !== undefined

/** Evaluates the events of one payload, each in the session that the previous event left. */
function judgeAll(
  list: readonly PreparedEvent[],
  loaded: Session,
  judge: (ready: PreparedEvent, session: Session) => EvaluationResult,
) {
  let session = loaded
  const judged: EvaluatedEvent[] = []
  for (const ready of list) {
    const result = judge(ready, session)
    session = result.session
    judged.push({ event: ready.event, result })
    // the later events of a denied call do not happen
    if (ready.event.kind === 'tool.before' && result.outcome.decision === 'deny') break
  }
  return { session, judged }
}
