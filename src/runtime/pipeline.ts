import type { Client, Reply } from '../clients/index.ts'
import {
  type Capabilities,
  type Event,
  evaluate,
  type Input,
  merge,
  messageOf,
  type Outcome,
  type Result,
  type Session,
  type Tools,
  type Verdict,
} from '../core/index.ts'
import { isObject, type JsonObject, type Regex } from '../pattern/index.ts'
import { type LoadedPolicy, type OnError, type Policy, postureOf, readPosture } from '../policy/index.ts'
import type { SessionKey, Store } from '../store/index.ts'
import { type Shell, withActs } from './acts.ts'
import { loadCodeGates } from './code-gates.ts'
import { gatherFacts } from './facts.ts'
import type { Folders } from './folders.ts'
import { identityOf, readReply } from './repeat.ts'
import { closedAgain } from './restart.ts'
import { projectRoot } from './root.ts'

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
  /** what the policy says of failures, once it is loaded */
  posture?: OnError
}

/** What was found out before anything is judged. */
interface Ground {
  readonly root: string
  readonly program: Policy
  /** when the payload was there, on the process's own clock */
  readonly began: number
}

/** The walk of one event: decode, gather facts, then load, evaluate, save and record in one step, and encode. */
export async function handle(request: Request, house: House): Promise<Reply> {
  const known: Known = {}
  const began = performance.now()
  try {
    const events = decode(request)
    known.event = events[0]
    known.root = rootOf(request, events, house)
    const { program } = house.policy(known.root, events[0]?.cwd ?? request.cwd)
    known.posture = postureOf(program)
    return await answer(request, events, { root: known.root, program, began }, house)
  } catch (error) {
    return fail(request, house, known, messageOf(error))
  }
}

function decode({ client, text, event }: Request): readonly Event[] {
  return client.decode(parse(text), { event })
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

async function answer(request: Request, events: readonly Event[], ground: Ground, house: House): Promise<Reply> {
  const { client, env, now } = request
  const { root, program, began } = ground
  // without a session id there is one session a project
  const key = { client: client.id, session: events[0]?.session || `project ${root}` }
  const identity = identityOf(events)
  const given = identity === undefined ? undefined : readReply(house.store.recall(key, identity))
  if (given) return given
  const cwd = events[0]?.cwd ?? request.cwd
  const tools = { regex: house.regex, codeGates: await loadCodeGates(program) }
  const ready = events.map(event => {
    const full = withActs(event, { root, cwd, home: house.folders.home, shell: house.shell })
    return { event: full, facts: gatherFacts(full, program, { now, env, root, home: house.folders.home }) }
  })
  const circumstances = { root, now, expiryHours: program.settings.expiryHours }
  return house.store.transact(key, circumstances, loaded => {
    // answered by another process in the meantime
    const known = identity === undefined ? undefined : readReply(loaded.recall(identity))
    if (known) return { records: [], result: known }
    const inForce = loaded.restarted ? closedAgain(program) : program
    const { session, results } = evaluateAll(ready, loaded.session, inForce, client.capabilities, tools)
    const merged = withNotices(mergeOutcomes(results.map(one => one.outcome)), house.store.notices)
    const [event] = events
    const reply = event ? client.encode(merged, event) : client.failure('open', {}, 'the payload holds no event')
    const ms = Math.round((performance.now() - began) * 100) / 100
    return {
      session,
      records: results.map(({ record }) => ({ ...record, ms })),
      ...(identity !== undefined && { answers: [{ identity, reply: { ...reply } }] }),
      result: reply,
    }
  })
}

/** The events of one payload, each in the session as the one before left it. */
function evaluateAll(
  ready: readonly Pick<Input, 'event' | 'facts'>[],
  loaded: Session,
  program: Policy,
  capabilities: Capabilities,
  tools: Tools,
): { readonly session: Session; readonly results: readonly Result[] } {
  let session = loaded
  const results = ready.map(({ event, facts }) => {
    const result = evaluate({ event, session, program, facts, capabilities }, tools)
    session = result.session
    return result
  })
  return { session, results }
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

/** The answer when the walk broke off: what the policy declares for its project, else what the command line says. */
function fail(request: Request, house: House, { root, event, ...known }: Known, why: string): Reply {
  const posture = known.posture ?? (root === undefined ? undefined : readPosture(house.folders.state, root))
  const name = event?.name ?? request.event
  return request.client.failure(posture ?? request.onError ?? 'open', { name, kind: event?.kind }, why)
}
