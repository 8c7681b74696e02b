import type { Reply } from '../../clients/index.ts'
import type { Event } from '../../core/index.ts'
import type { AuditRecord, Loaded, Step } from '../../store/index.ts'
import { ownToolName } from '../acts.ts'
import { alarmOf, type Told } from '../alarm.ts'
import { noteOn } from '../approved.ts'
import { endBypass, isOff } from '../bypass.ts'
import { endOf, remindersOf, withLeave } from '../bypass-words.ts'
import { type Judged, type Telling, withNotes } from '../exports.ts'
import { judgePayload } from '../judge-payload.ts'
import { recordDetails } from '../record-details.ts'
import { readReply } from '../repeat.ts'
import type { House } from '../request.ts'
import { closedAgain } from '../restart.ts'
import { withUnjudgedNotice } from '../unjudged.ts'
import { withoutClosing, withUnwritableNotice } from '../unwritable.ts'
import { word } from '../wording.ts'
import type { AnalysedPayload } from './analyse-actions.ts'
import type { CompletePayload } from './collect-answers.ts'
import type { DecodedPayload } from './decode-payload.ts'
import { type RecordedReply, repeatReply } from './recorded-reply.ts'
import type { Project } from './resolve-project.ts'

/** The reply, and what is exported after the commit: nothing if the event was answered before. */
export interface Decision {
  readonly reply: Reply
  readonly telling?: Telling
}

/** All phases before the transaction. */
export interface Prepared {
  readonly decoded: DecodedPayload
  readonly project: Project
  readonly recorded: RecordedReply
  readonly analysed: AnalysedPayload
  readonly complete: CompletePayload
  /** when the payload arrived, on the process's own clock */
  readonly began: number
}

/** Phase 6: evaluate, save the session and write the audit records, in one transaction. The store may call this again if it is busy. */
export function decideIn(prepared: Prepared, services: House): (loaded: Loaded) => Step<Decision> {
  const { decoded, project, recorded, analysed, complete, began } = prepared
  const { call, payload, events } = decoded
  const { root, policy, bypasses, leaves } = project
  const { program, exports } = policy
  const { client, now, env } = call
  const { store, folders, regex } = services
  const { plans, codeGates } = analysed
  const ended = bypasses.over.filter(one => endBypass(folders.state, one)).map(one => endOf(one, now))
  const kind = isOff(bypasses.inForce) ? undefined : events[0]?.kind
  const hearing = { state: folders.state, kind, capabilities: client.capabilities }
  // reading the notices also marks them as shown, so that happens once however often the store calls
  let notices: Told | undefined

  return loaded => {
    const given = recorded.identity === undefined ? undefined : readReply(loaded.recall(recorded.identity))
    if (given) return { records: ended, result: { reply: repeatReply(given, call) } }
    notices ??= withUnjudgedNotice(alarmOf(program, hearing), client.id, hearing)
    const { unwritable, restarted } = loaded
    const noted =
      notices.notices.length > 0 ? { ...program, notices: [...program.notices, ...notices.notices] } : program
    const { session, judged, late } = judgePayload(
      { sent: complete.sent, rewritten: complete.rewritten, runs: complete.runs },
      unwritable ? withoutClosing(loaded.session, noted) : loaded.session,
      {
        program: restarted || unwritable ? closedAgain(noted) : noted,
        plans,
        capabilities: client.capabilities,
        regex,
        codeGates,
      },
    )
    const spent = client.spent?.(payload)
    const telling: Telling = { client, exports, program, judged, session, root, now, env, regex, spent }
    const tookMs = Math.max(process.uptime() * 1000 - began, 0)
    const shown = unwritable ? withUnwritableNotice(notices, unwritable, hearing) : notices
    const reminders = [
      ...remindersOf(bypasses.inForce, events[0]?.kind === 'session.start', env.TZ),
      ...shown.person,
      ...plans.remarks(),
    ]
    const reply = word(telling, events, {
      tookMs,
      restarted,
      notices: store.notices,
      reminders,
      asides: shown.agent,
    })
    if (complete.keeps === 'nothing') return { records: ended, result: { reply } }
    const exported = withNotes(telling)
    const records = [...late, ...judged].map(({ event, result }) =>
      auditRecord(event, withLeave(result.record, leaves, tookMs), prepared),
    )
    return {
      session: exported,
      records: [...ended, ...records],
      ...(recorded.identity !== undefined &&
        complete.keeps === 'all' && {
          answer: { identity: recorded.identity, reply: { ...reply, via: call.via ?? '' } },
        }),
      result: { reply, telling: { ...telling, session: exported } },
    }
  }
}

/** The record with what only the hook knows: project, agent, approval, budget. */
function auditRecord(
  event: Judged['event'],
  record: AuditRecord,
  { project, analysed, decoded }: Prepared,
): AuditRecord {
  const { plans } = analysed
  const { caller }: Event = event
  return {
    ...record,
    root: project.root,
    ...(caller.kind === 'agent' && { agent: caller.id }),
    ...recordDetails(event, record),
    notes: [
      ...(project.approval ? [noteOn(project.approval)] : []),
      ...record.notes,
      ...ownToolName(event, decoded.call.client),
    ],
    ...(plans.isWhitelisted(event) && { whitelisted: true }),
    ...(plans.isExpensive && { errors: [...record.errors, ...plans.remarks()] }),
  }
}
