import type { Reply } from '../clients/index.ts'
import { senderOf } from '../clients/sender.ts'
import { type Event, messageOf } from '../core/index.ts'
import { isObject, type JsonObject } from '../pattern/index.ts'
import { type LoadedPolicy, type Policy, postureOf } from '../policy/index.ts'
import type { AuditRecord, Loaded, SessionKey, Step, Store } from '../store/index.ts'
import { ownToolName } from './acts.ts'
import { withAgents } from './agent-types.ts'
import { alarmOf, type Told } from './alarm.ts'
import { allowedBy, type Heeded, heed, leavesIn, noteOn } from './approved.ts'
import { type Bypass, endBypass, holdsIn, isOff, isOver, lifted, readBypasses } from './bypass.ts'
import { endOf, remindersOf, withLeave } from './bypass-words.ts'
import { openCodeGates } from './code-gates.ts'
import { consult, NOBODY } from './consult.ts'
import { Late } from './deadline.ts'
import { Elsewhere } from './elsewhere.ts'
import { isLongLine, Plans } from './evaluation-budget.ts'
import { type Telling, withNotes } from './exports.ts'
import { fail, type Known } from './fail.ts'
import { unsafeFolderReason } from './folders.ts'
import { judgePayload } from './judge-payload.ts'
import { lateRunsAt } from './late-runs/late.ts'
import { look, prepare, type Ready, shellVars } from './ready.ts'
import { recordDetails } from './record-details.ts'
import { type Given, identityOf, readReply } from './repeat.ts'
import type { House, Request } from './request.ts'
import { closedAgain } from './restart.ts'
import { projectRoot } from './root.ts'
import type { NamedHook } from './sub-hooks.ts'
import { isRefusal, tell } from './tell.ts'
import { traceOf } from './trace.ts'
import { whereNobodyAnswers } from './unattended.ts'
import { withUnjudgedNotice } from './unjudged.ts'
import { makeState, withoutClosing, withUnwritableNotice } from './unwritable.ts'
import { withWitnesses } from './witnessed.ts'
import { word } from './wording.ts'

/** What was found out before anything is judged. */
interface Ground {
  readonly root: string
  readonly policy: LoadedPolicy
  /** what a person has lifted: in force here, or over */
  readonly bypasses: readonly Bypass[]
  /** what came of an approval; absent: the call brought none */
  readonly heeded: Heeded | undefined
  /** when the payload was there, on the process's own clock */
  readonly began: number
}

/** The walk of one event: decode, gather facts, then load, evaluate, save and record in one step, and encode. */
export async function handle(registered: Request, house: House): Promise<Reply> {
  const known: Known = { cause: 'input' }
  const began = registered.came ?? process.uptime() * 1000
  let request = registered
  try {
    const payload = parse(request.text)
    refuseForeign(house.folders.state, known)
    request = whereNobodyAnswers(sentBy(senderOf(registered.client.id, payload, registered.env), registered, house))
    const events = withAgents(request.client.decode(payload, { event: request.event }), request, house.store)
    known.event = events[0]
    if (events.some(isNameless)) throw new Error('the call names no tool')
    known.cause = undefined
    const root = rootOf(request, events, house)
    known.root = root
    const policy = house.policy(root, events[0]?.cwd ?? request.cwd)
    const bypasses = readBypasses(house.folders.state).filter(one => isOver(one, request.now) || holdsIn(one, root))
    const inForce = bypasses.filter(one => !isOver(one, request.now))
    const heeded = request.approval && heed(request.approval, { state: house.folders.state, root, now: request.now })
    const lowered = { ...policy, program: lifted(policy.program, [...inForce, ...leavesIn(heeded)]) }
    known.posture = postureOf(lowered.program)
    known.exports = policy.exports
    const ground = Object.assign(known, { root, policy: lowered, bypasses, heeded, began })
    return await inTime(answer(request, payload, events, ground, house), request)
  } catch (error) {
    if (error instanceof Elsewhere) throw error
    if (error instanceof Late) known.cause = 'time'
    return fail(request, house, known, messageOf(error))
  }
}

/** What lifts gates is kept there, and what a policy was compiled to: nothing is judged by it, and nothing passes meanwhile. */
function refuseForeign(state: string, known: Known): void {
  const why = unsafeFolderReason(state)
  if (why === undefined) return
  Object.assign(known, { cause: 'state', posture: 'closed', exports: [], foreign: true })
  throw new Error(why)
}

/** What comes too late finds the deadline over, and changes nothing. */
function inTime(walk: Promise<Reply>, { deadline }: Request): Promise<Reply> {
  if (!deadline) return walk
  walk.catch(() => {})
  return Promise.race([walk, deadline.passed])
}

const sentBy = (id: string, registered: Request, { client }: House): Request =>
  id === registered.client.id ? registered : { ...registered, client: client(id), borrowed: true }

/** Nobody can judge a call of nothing; what it would have run nobody knows. */
const isNameless = ({ kind, call }: Event): boolean =>
  (kind === 'tool.before' || kind === 'permission.request') && call === undefined

function parse(text: string): JsonObject {
  if (text.trim() === '') throw new Error('the hook got no input')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`the hook's input is not JSON (${text.length} characters)`)
  }
  if (!isObject(value)) throw new Error("the hook's input is not a JSON object")
  return value
}

/** Pinned to the session at its first event, so that `cd` cannot leave the policy. */
function rootOf({ client, env, cwd }: Request, events: readonly Event[], { store, folders }: House): string {
  const [event] = events
  const pinned = event?.session ? pinnedRoot(store, { client: client.id, session: event.session }) : undefined
  const project = client.projectEnv === undefined ? undefined : env[client.projectEnv]
  return pinned ?? projectRoot({ project, cwd: event?.cwd ?? cwd, home: folders.home })
}

/** A store that cannot be read fails later, when it is known whose posture counts. */
function pinnedRoot(store: Store, key: SessionKey): string | undefined {
  try {
    return store.rootOf(key)
  } catch {
    return undefined
  }
}

async function answer(
  request: Request,
  payload: JsonObject,
  events: readonly Event[],
  known: Known & Ground,
  house: House,
): Promise<Reply> {
  const { client, now, env } = request
  const { root, policy, bypasses, heeded, began } = known
  const { program, exports } = policy
  const { regex, shell, store, folders } = house
  // without a session id there is one session a project, which no id of a client can name
  const session = events[0]?.session
  const key = session ? { client: client.id, session } : { client: `${client.id}, by project`, session: root }
  known.cause = 'state'
  makeState(folders.state)
  const identity = identityOf(events, request, store, key)
  const given = identity === undefined ? undefined : readReply(store.recall(key, identity))
  if (given) return again(given, request)
  known.cause = undefined
  // a process that stays answers everybody, one after the other
  const stays = request.deadline !== undefined
  if (stays && events.some(isLongLine)) throw new Elsewhere('a line that takes long to read')
  const looking = { ...request, payload, events, root, program, ...allowedBy(heeded), home: folders.home, regex, shell }
  const seen = look(looking)
  const plans = new Plans(program, seen.sent, { payload: request.text.length, regex })
  if (stays && plans.isExpensive) throw new Elsewhere('a call that takes long to judge')
  const time = timeFor(seen.hooks, program, { began, now })
  request.answerBy?.(time.allMs)
  const asked = {
    worker: house.codeWorker,
    budgetMs: program.settings.budgetMs,
    lastMs: began + time.allMs,
    stuck: request.stuck,
  }
  const codeGates = openCodeGates(program, asked)
  const event = seen.sent[0]?.event
  known.cause = 'state'
  const asking = { ...request, ...time, input: request.bytes, passed: request.deadline?.passed, store, key, identity }
  const consulted = event ? await consult(seen.hooks, { ...asking, event }) : NOBODY
  if ('given' in consulted) return again(consulted.given, request)
  const { answers, keeps } = consulted
  const prepared = prepare(seen, answers, looking)
  const vars = shellVars(client, root)
  const hearing = { ...looking, ...asking, vars, text: request.text, state: folders.state }
  const heard = (list: readonly Ready[]) => list.map(one => ({ ...one, event: withWitnesses(one.event, hearing) }))
  const sent = heard(prepared.sent)
  const rewritten = prepared.rewritten && heard(prepared.rewritten)
  const runs = lateRunsAt(sent[0]?.event, one => look({ ...looking, events: [one] }).sent, hearing)
  const circumstances = { root, now, expiryHours: program.settings.expiryHours, keeps: program.settings.keeps }
  if (request.deadline?.isOver()) throw new Error('the answer came too late')
  const ended = bypasses.filter(one => isOver(one, now) && endBypass(folders.state, one)).map(one => endOf(one, now))
  const inForce = bypasses.filter(one => !isOver(one, now))
  const leaves = [...inForce, ...leavesIn(heeded)]
  let alarm: Told | undefined
  const onRecord = (of: Event, record: AuditRecord): AuditRecord => ({
    ...{ ...record, root, ...(of.caller.kind === 'agent' && { agent: of.caller.id }), ...recordDetails(of, record) },
    notes: [...(heeded ? [noteOn(heeded)] : []), ...record.notes, ...ownToolName(of, client)],
    ...(plans.isWhitelisted(of) && { whitelisted: true }),
    ...(plans.isExpensive && { errors: [...record.errors, ...plans.remarks()] }),
  })
  const work = (loaded: Loaded): Step<Done> => {
    // answered by another process in the meantime
    const before = identity === undefined ? undefined : readReply(loaded.recall(identity))
    if (before) return { records: ended, result: { reply: again(before, request) } }
    const kind = isOff(inForce) ? undefined : events[0]?.kind
    const hearing = { state: folders.state, kind, capabilities: client.capabilities }
    alarm ??= withUnjudgedNotice(alarmOf(program, hearing), client.id, hearing)
    const { notices } = alarm
    const noted = notices.length > 0 ? { ...program, notices: [...program.notices, ...notices] } : program
    const { unwritable } = loaded
    const closed = loaded.restarted || unwritable ? closedAgain(noted) : noted
    const known = unwritable ? withoutClosing(loaded.session, noted) : loaded.session
    const judging = { program: closed, plans, capabilities: client.capabilities, regex, codeGates }
    const { session, judged, late } = judgePayload({ sent, rewritten, runs }, known, judging)
    const spent = client.spent?.(payload)
    const telling: Telling = { client, exports, program, judged, session, root, now, env, regex, spent }
    const tookMs = Math.max(process.uptime() * 1000 - began, 0)
    const told = unwritable ? withUnwritableNotice(alarm, unwritable, hearing) : alarm
    const reminders = [
      ...remindersOf(inForce, events[0]?.kind === 'session.start', env.TZ),
      ...told.person,
      ...plans.remarks(),
    ]
    const { restarted } = loaded
    const reply = word(telling, events, { tookMs, restarted, notices: store.notices, reminders, asides: told.agent })
    if (keeps === 'nothing') return { records: ended, result: { reply } }
    const kept = withNotes(telling)
    return {
      session: kept,
      records: [
        ...ended,
        ...[...late, ...judged].map(({ event, result }) => onRecord(event, withLeave(result.record, leaves, tookMs))),
      ],
      ...(identity !== undefined &&
        keeps === 'all' && { answer: { identity, reply: { ...reply, via: request.via ?? '' } } }),
      result: { reply, telling: { ...telling, session: kept } },
    }
  }
  const done = store.transact(key, circumstances, work, plans.isExpensive)
  known.cause = undefined
  const notices = store.takeNotices()
  const { reply, telling } = done
  if (!telling) return reply
  const records = telling.judged.map(({ result }) => result.record)
  return traced(tell(reply, telling, notices), () => traceOf({ policy, ready: sent, records, regex }))
}

/** An event that was answered where it belongs is not answered once more elsewhere, save by its refusal: that must not depend on who hears. */
function again({ via: heard, ...reply }: Given, { borrowed, via = '' }: Request): Reply {
  const elsewhere = borrowed || (heard !== undefined && heard !== via)
  return elsewhere && !isRefusal(reply) ? { exitCode: 0, stdout: '', stderr: '' } : reply
}

/** For people who look on; an answer never fails on it, and it is no part of what is kept. */
function traced(reply: Reply, trace: () => string): Reply {
  try {
    return { ...reply, stderr: [reply.stderr, trace()].filter(Boolean).join('\n') }
  } catch {
    return reply
  }
}

/** Sub-hooks have their own time beside that of the policy; of that, half is kept for what comes after them. */
function timeFor(
  hooks: readonly NamedHook[],
  { settings }: Policy,
  start: { readonly began: number; readonly now: number },
) {
  const allMs = settings.budgetMs + Math.max(0, ...hooks.map(hook => hook.timeoutMs))
  const last = start.began + allMs - settings.budgetMs / 2
  return { allMs, left: () => last - process.uptime() * 1000, until: start.now + allMs }
}

/** The reply, and what is to be told of it after the commit: nothing where it was given before. */
interface Done {
  readonly reply: Reply
  readonly telling?: Telling
}
