import type { Client, Reply } from '../clients/index.ts'
import {
  type Event,
  evaluate,
  merge,
  messageOf,
  type Outcome,
  type Result,
  type Session,
  type Verdict,
} from '../core/index.ts'
import { isObject, type JsonObject, type Regex } from '../pattern/index.ts'
import { type Export, type LoadedPolicy, makeFolder, type OnError, postureOf, readPosture } from '../policy/index.ts'
import type { SessionKey, Store } from '../store/index.ts'
import type { Shell } from './acts.ts'
import { type ImportModule, loadCodeGates } from './code-gates.ts'
import { isRefusedByStatus, type Judged, statusOf, type Telling, withNotes } from './exports.ts'
import type { Folders } from './folders.ts'
import { prepare, type Ready } from './ready.ts'
import { identityOf, readReply } from './repeat.ts'
import { closedAgain, inWordsOf } from './restart.ts'
import { projectRoot } from './root.ts'
import { tell, tellFailure } from './tell.ts'
import { traceOf } from './trace.ts'

/** One call of the hook, as the client made it. */
export interface Request {
  readonly client: Client
  readonly text: string
  /** the client's own event name, from the command line */
  readonly event?: string | undefined
  readonly onError?: OnError | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: number
  /** told how long the answer may take, in ms since the event came: sub-hooks have their own time */
  readonly answerBy?: ((ms: number) => void) | undefined
  readonly importModule: ImportModule
}

/** What the pipeline works with: opened once, used for every event. */
export interface House {
  readonly folders: Folders
  readonly store: Store
  readonly regex: Regex
  readonly shell: () => Shell
  readonly policy: (root: string, cwd: string) => LoadedPolicy
}

/** How far the walk got: what a failure answer can still tell. */
interface Known {
  event?: Event | undefined
  root?: string
  exports?: readonly Export[]
  /** what the policy says of failures, once it is loaded */
  posture?: OnError
  /** what could fail just now */
  cause?: 'input' | 'state' | undefined
}

/** What was found out before anything is judged. */
interface Ground {
  readonly root: string
  readonly policy: LoadedPolicy
  /** when the payload was there, on the process's own clock */
  readonly began: number
}

/** The walk of one event: decode, gather facts, then load, evaluate, save and record in one step, and encode. */
export async function handle(request: Request, house: House): Promise<Reply> {
  const known: Known = { cause: 'input' }
  const began = process.uptime() * 1000
  try {
    const payload = parse(request.text)
    const events = request.client.decode(payload, { event: request.event })
    known.cause = undefined
    known.event = events[0]
    const root = rootOf(request, events, house)
    known.root = root
    const policy = house.policy(root, events[0]?.cwd ?? request.cwd)
    known.posture = postureOf(policy.program)
    known.exports = policy.exports
    return await answer(request, payload, events, Object.assign(known, { root, policy, began }), house)
  } catch (error) {
    return fail(request, house, known, messageOf(error))
  }
}

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
  const { root, policy, began } = known
  const { program, exports } = policy
  const { regex, shell, store, folders } = house
  // without a session id there is one session a project
  const key = { client: client.id, session: events[0]?.session || `project ${root}` }
  const identity = identityOf(events)
  known.cause = 'state'
  makeFolder(folders.state)
  const given = identity === undefined ? undefined : readReply(store.recall(key, identity))
  if (given) return given
  known.cause = undefined
  const codeGates = await loadCodeGates(program, request.importModule)
  const { home } = folders
  const { sent, rewritten } = await prepare({ ...request, payload, events, root, program, home, regex, shell })
  known.cause = 'state'
  const circumstances = { root, now, expiryHours: program.settings.expiryHours }
  const done = store.transact<Done>(key, circumstances, loaded => {
    // answered by another process in the meantime
    const before = identity === undefined ? undefined : readReply(loaded.recall(identity))
    if (before) return { records: [], result: { reply: before } }
    const inForce = loaded.restarted ? closedAgain(program) : program
    const judge = (list: readonly Ready[]) =>
      judgeAll(list, loaded.session, ({ event, facts }, session) =>
        evaluate({ event, session, program: inForce, facts, capabilities: client.capabilities }, { regex, codeGates }),
      )
    const first = rewritten && judge(rewritten)
    const { session, judged } = first?.judged.some(isSettled) ? first : judge(sent)
    const spent = client.spent?.(payload)
    const telling: Telling = { client, exports, program, judged, session, root, now, env, regex, spent }
    const tookMs = Math.max(process.uptime() * 1000 - began, 0)
    const reply = word(telling, events, { tookMs, restarted: loaded.restarted, notices: store.notices })
    const kept = withNotes(telling)
    return {
      session: kept,
      records: judged.map(({ result }) => ({ ...result.record, ms: Math.round(tookMs * 100) / 100 })),
      ...(identity !== undefined && { answer: { identity, reply: { ...reply } } }),
      result: { reply, telling: { ...telling, session: kept } },
    }
  })
  known.cause = undefined
  const { reply, telling } = done
  if (!telling) return reply
  const records = telling.judged.map(({ result }) => result.record)
  return traced(tell(reply, telling, store.notices), () => traceOf({ policy, ready: sent, records, regex }))
}

/** For people who look on; an answer never fails on it, and it is no part of what is kept. */
function traced(reply: Reply, trace: () => string): Reply {
  try {
    return { ...reply, stderr: [reply.stderr, trace()].filter(Boolean).join('\n') }
  } catch {
    return reply
  }
}

/** The reply, and what is to be told of it after the commit: nothing where it was given before. */
interface Done {
  readonly reply: Reply
  readonly telling?: Telling
}

interface Wording {
  readonly tookMs: number
  /** this session's state was lost at some time; `notices` tell of it when it just happened */
  readonly restarted: boolean
  readonly notices: readonly string[]
}

/** One answer to the payload, in the client's words. */
function word(telling: Telling, [event]: readonly Event[], { tookMs, restarted, notices }: Wording): Reply {
  const { client, program, judged } = telling
  if (!event) return client.failure('open', {}, 'the payload holds no event')
  const merged = mergeOutcomes(judged.map(({ result }) => result.outcome))
  const status = statusOf(telling)
  const lost = status && restarted && notices.length > 0 ? client.resetWords : undefined
  const outcome = lost ? inWordsOf(lost, merged, isRefusedByStatus(telling)) : withNotices(merged, notices)
  return client.encode(outcome, event, program.gates.length > 0 ? { tookMs: Math.round(tookMs), status } : undefined)
}

/** A rewritten call is refused, or the client hears how it was rewritten. Else what it sent is what runs. */
const isSettled = ({ result: { outcome } }: Judged): boolean =>
  outcome.decision === 'deny' || outcome.input !== undefined

/** Events of one payload, each in the session as the one before left it. */
function judgeAll(list: readonly Ready[], loaded: Session, judge: (ready: Ready, session: Session) => Result) {
  let session = loaded
  const judged: Judged[] = []
  for (const ready of list) {
    const result = judge(ready, session)
    session = result.session
    judged.push({ event: ready.event, result })
    // what would follow from a refused call does not happen
    if (ready.event.kind === 'tool.before' && result.outcome.decision === 'deny') break
  }
  return { session, judged }
}

function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  const [only, second] = outcomes
  return only && !second ? only : merge(outcomes.map(asVerdict))
}

const asVerdict = ({ decision, ...outcome }: Outcome): Verdict =>
  decision === 'pass' ? { ...outcome, decision } : { ...outcome, decision }

const withNotices = (outcome: Outcome, notices: readonly string[]): Outcome =>
  notices.length === 0
    ? outcome
    : {
        ...outcome,
        message: [outcome.message, ...notices.map(notice => `signalbox: ${notice}`)].filter(Boolean).join('\n'),
      }

/** A payload that was cut off may still say what it was about, or show it: before the input, which holds anybody's words. */
function nameIn(text: string): string | undefined {
  const [head = ''] = text.slice(0, 65_536).split('"tool_input"', 1)
  const named = /"(?:hook_event_name|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  return (
    named ?? (head.includes('"tool_name"') ? 'tool.before' : head.includes('"prompt"') ? 'prompt.submit' : undefined)
  )
}

/** The answer when the walk broke off: what the policy declares for its project, else what the command line says. */
function fail(request: Request, house: House, { event, cause, ...known }: Known, why: string): Reply {
  const { client, env, cwd, now } = request
  const { home, state } = house.folders
  // a payload that cannot be read does not say where it is from: the process does
  const root = known.root ?? projectRoot({ project: client.projectEnv && env[client.projectEnv], cwd, home })
  const posture = known.posture ?? readPosture(state, root) ?? request.onError ?? 'open'
  const name = event?.name ?? request.event ?? nameIn(request.text)
  const reply = client.failure(posture, { name, kind: event?.kind, cause }, why)
  return tellFailure(reply, known.exports ?? exportsAt(root, request, house), {
    client: client.id,
    root,
    now,
    cause,
    why,
  })
}

/** The policy may be what failed. */
function exportsAt(root: string, { cwd }: Request, house: House): readonly Export[] {
  try {
    return house.policy(root, cwd).exports
  } catch {
    return []
  }
}
