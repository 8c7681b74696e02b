import { footprintsByClient } from '../../clients/footprints.ts'
import type { Client, ClientFootprint } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import { isOwnFolder } from '../../lib/files.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { Store } from '../../store/index.ts'
import { withAgentActivity } from '../events/agent-activity.ts'
import { denyAskWhenUnattended } from '../events/unattended.ts'
import { answeringForeignAgent, unknownCallEventOf, withFoundCall } from '../events/unknown-event.ts'
import { unsafeFolderReason } from '../services/folders.ts'
import type { FailureContext, HookCall, HookServices } from '../services/hook-services.ts'

/** A payload and its events. */
export interface DecodedPayload {
  /** with the client that really sent the payload: some agents run the hooks in another agent's settings */
  readonly call: HookCall
  readonly payload: JsonObject
  readonly events: readonly Event[]
}

/** Phase 1: decode the client's JSON into events. */
export function decodePayload(call: HookCall, services: HookServices, failure: FailureContext): DecodedPayload {
  const payload = parseObject(call.text)
  requireOwnStateFolder(services.folders.state, failure)
  const sent = withSender(identifySender(call.client.id, payload, call.env), call, services)
  failure.call = sent.client.unattended ? denyAskWhenUnattended(sent, sent.client.unattended) : sent
  const decoded = decodeEvents(payload, failure)
  const { client } = failure.call
  const active = client.transcriptPathsOf ? withAgentActivity(decoded, client.transcriptPathsOf(payload)) : decoded
  const events = withAgentIdentity(active, failure.call, services.store)
  failure.event = events[0]
  // a call without a tool cannot be evaluated: what it would run is unknown
  if (events.some(isCallWithoutTool)) throw new Error('the call names no tool')
  failure.cause = undefined
  return { call: failure.call, payload, events }
}

function decodeEvents(payload: JsonObject, failure: FailureContext): readonly Event[] {
  const { client } = failure.call
  const events = decodeNamed(payload, failure)
  const [event, second] = events
  if (isForeignPayload(payload)) failure.call = { ...failure.call, client: answeringForeignAgent(client) }
  if (!event || second) return events
  if (event.kind === 'other') return decodeUnknown(payload, event.name, failure) ?? events
  const found = isCallWithoutTool(event) ? withFoundCall(payload) : undefined
  return found ? client.decode(found, { event: event.name }) : events
}

/** A payload that does not name its event may carry a call all the same. The command line may demand to deny what is not certain. */
function decodeNamed(payload: JsonObject, failure: FailureContext): readonly Event[] {
  const { client, event, onError } = failure.call
  try {
    return client.decode(payload, { event })
  } catch (error) {
    const found =
      onError === 'closed'
        ? undefined
        : decodeUnknown(payload, String(payload.agent_action_name ?? 'without a name'), failure)
    if (found) return found
    throw error
  }
}

function decodeUnknown(payload: JsonObject, name: string, failure: FailureContext): readonly Event[] | undefined {
  const { client } = failure.call
  const unknown = unknownCallEventOf(client, payload, name)
  if (!unknown) return undefined
  failure.call = { ...failure.call, client: unknown.client }
  const found = unknown.payload && client.decode(unknown.payload, { event: unknown.as })
  if (!found?.some(event => event.call)) throw new Error(`unknown event ${name}`)
  return found.map(event => ({ ...event, name }))
}

function parseObject(text: string): JsonObject {
  if (text.trim() === '') throw new Error('the hook got no input')
  let value: unknown
  try {
    // some shells put a byte order mark in front of what they pipe
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error(`the hook's input is not JSON (${text.length} characters)`)
  }
  if (!isObject(value)) throw new Error("the hook's input is not a JSON object")
  return value
}

/** The state folder holds bypasses and compiled policies. If another user can write to it, its files are ignored and calls are denied. */
function requireOwnStateFolder(state: string, failure: FailureContext): void {
  if (isOwnFolder(state)) return
  failure.cause = 'state'
  failure.failureMode = 'closed'
  failure.gateExports = []
  failure.isForeignState = true
  throw new Error(unsafeFolderReason(state) ?? 'other users could write to the state folder')
}

/**
 * Which client sent this payload. `--client` names the client that the hook was registered for, but some agents also run the hooks in
 * another agent's settings and send their own payloads. Such an event is answered in the sender's format, in the sender's session: if
 * both settings name the hook, the event arrives twice with one identity and counts once. An ambiguous payload stays as registered.
 */
export function identifySender(registered: string, payload: JsonObject, env: HookCall['env']): string {
  const own = footprintsByClient[registered]
  const isSender = (id: string): boolean =>
    footprintsByClient[id]?.payloadMarks?.some(mark => hasMark(mark, payload, env)) ?? false
  // a client without settings files (`generic`) has no hooks that another agent could run
  if (!own || own.registrations.length === 0 || isSender(registered)) return registered
  const [sender, another] = Object.keys(footprintsByClient).filter(id => id !== registered && isSender(id))
  return sender === undefined || another !== undefined ? registered : sender
}

function hasMark(
  { env: variable, texts = [], lists = [], transcript, isOwn }: NonNullable<ClientFootprint['payloadMarks']>[number],
  payload: JsonObject,
  env: HookCall['env'],
): boolean {
  const textOf = (key: string): string => (typeof payload[key] === 'string' ? payload[key] : '')
  return (
    (variable === undefined || Boolean(env[variable])) &&
    texts.every(key => textOf(key) !== '') &&
    lists.every(key => Array.isArray(payload[key])) &&
    (transcript === undefined || transcript.test(textOf('transcript_path'))) &&
    (isOwn === undefined || isOwn(payload))
  )
}

/** An agent that is no client wrote the payload: it spells the event's name in its own way, and may not know the replies either. */
const isForeignPayload = (payload: JsonObject): boolean =>
  payload.hook_event_name === undefined && (payload.hookEventName ?? payload.hookName) !== undefined

const withSender = (id: string, call: HookCall, { client }: HookServices): HookCall =>
  id === call.client.id ? call : { ...call, client: client(id), borrowed: true }

const isCallWithoutTool = ({ kind, call }: Event): boolean =>
  (kind === 'tool.before' || kind === 'permission.request') && call === undefined

const BELONGS = 'belongs to'
/** longer than any agent runs */
const RETENTION_MS = 7 * 86_400_000

interface IdentityContext {
  readonly client: Client
  readonly now: number
}

/** Adds what only earlier events reveal about the calling agent: the session it belongs to, and its type. */
const withAgentIdentity = (events: readonly Event[], identity: IdentityContext, store: Store): readonly Event[] =>
  withTypes(resolveAgentSession(events, identity, store), identity, store)

/**
 * Moves events into the main agent's session. Where subagents have their own sessions, each names its parent session. For nested subagents
 * that is not enough, so the store keeps each agent's main session. If the store fails, events stay in the parent's.
 */
function resolveAgentSession(
  events: readonly Event[],
  { client, now }: IdentityContext,
  store: Store,
): readonly Event[] {
  const [first] = events
  if (!client.agentSessions || first?.caller.kind !== 'agent') return events
  const sessionOf = (id: string) => store.claim({ client: client.id, session: id }, BELONGS)?.session
  const { id } = first.caller
  try {
    const above = sessionOf(first.session)
    const session = typeof above === 'string' ? above : first.session
    if (id !== session && sessionOf(id) !== session)
      store.claim({ client: client.id, session: id }, BELONGS, () => ({ until: now + RETENTION_MS, session }))
    return events.map(event => ({ ...event, session }))
  } catch {
    return events
  }
}

/** Adds the caller's type, if the client reports it only when an agent starts. If the store fails, the event stays unchanged. */
function withTypes(events: readonly Event[], { client, now }: IdentityContext, store: Store): readonly Event[] {
  if (!client.typedAtStart) return events
  return events.map(event => {
    const { kind, caller, agent } = event
    if (caller.kind !== 'agent') return event
    const key = { client: client.id, session: event.session }
    const name = `type of ${caller.id}`
    try {
      if (kind === 'agent.start' && agent) store.claim(key, name, () => ({ until: now + RETENTION_MS, type: agent }))
      const type = agent ?? store.claim(key, name)?.type
      return typeof type === 'string' ? { ...event, caller: { ...caller, type } } : event
    } catch {
      return event
    }
  })
}
