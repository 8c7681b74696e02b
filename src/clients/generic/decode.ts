import type { CallStatus, Event, ToolCall } from '../../engine/index.ts'
import { canonicalTools, EVENT_KINDS, type EventKind, isShell, PROMPT_SOURCES } from '../../engine/index.ts'
import { type JsonObject, jsonText } from '../../lib/json.ts'
import {
  booleanField,
  eventIdentityOf,
  objectField,
  stringField,
  tokenUsageOf,
  toolInputOf,
  toolNameOf,
} from '../adapter/decode.ts'
import type { TokenUsage } from '../client.ts'
import { callerOf, isRouterPayload, ROUTER_AGENT } from './caller.ts'
import { callStatusOf, isBackgroundLaunch, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'generic'

/** Every object is an event. Without an event name, result or prompt it is `tool.before`. */
export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] =>
  eventsOf(payload, hint).map(event => ({ ...event, ...identityOfEvent(payload, event) }))

/**
 * Two payloads are the same event if they are equal and have the same call id, or else the same timestamp. Without both, two equal
 * payloads are two events.
 */
const identityOfEvent = (payload: JsonObject, { name, kind }: Event): Pick<Event, 'identity'> => {
  const { timestamp: _, ...untimed } = payload
  const id = stringField(payload, 'tool_use_id')
  const time = id === undefined ? stringField(payload, 'timestamp') : ''
  const content = jsonText(untimed)
  return time === undefined || content === ''
    ? {}
    : { identity: eventIdentityOf([name, kind, id ?? '', time], content) }
}

const eventsOf = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const given = stringField(payload, 'event') ?? hint.event
  const kind = given === undefined ? inferEventKind(payload) : (EVENT_KINDS.find(text => text === given) ?? 'other')
  const cwd = stringField(payload, 'cwd')
  const base: Event = {
    kind,
    client: CLIENT_ID,
    name: given ?? kind,
    session: stringField(payload, 'session_id') ?? stringField(objectField(payload, 'context'), 'session_id') ?? '',
    caller: callerOf(payload),
    ...(cwd !== undefined && { cwd }),
  }
  if (kind === 'tool.after' || kind === 'tool.failed') return callEndEvents(payload, base)
  if (kind === 'tool.before' || kind === 'permission.request') return [withCall(payload, base)]
  return [{ ...base, ...otherEventDetails(payload, kind) }]
}

const inferEventKind = (payload: JsonObject): EventKind => {
  if ('tool_result' in payload) return 'tool.after'
  return toolNameOf(payload) === undefined && stringField(payload, 'prompt') !== undefined
    ? 'prompt.submit'
    : 'tool.before'
}

const withCall = (payload: JsonObject, base: Event, status?: CallStatus): Event => {
  const native = toolNameOf(payload)
  if (native === undefined) return base
  const own = toolInputOf(payload)
  const tool = canonicalTool(native, own)
  const id = stringField(payload, 'tool_use_id')
  const call: ToolCall = {
    tool,
    ...(tool !== native && { native }),
    input: withBackground(canonicalInput(tool, own)),
    ...(id !== undefined && { id }),
    acts: [],
    ...(status !== undefined && { status }),
  }
  return { ...base, call }
}

/** Other agents use `is_background` or `background`. */
const withBackground = (input: JsonObject): JsonObject =>
  input.run_in_background === undefined &&
  (booleanField(input, 'is_background') ?? booleanField(input, 'background')) === true
    ? { ...input, run_in_background: true }
    : input

/**
 * A result from the router that no working tool returned, or from a completed spawn, is that agent's final answer.
 * The stop comes first: its effects are reported with the end of the call.
 */
const callEndEvents = (payload: JsonObject, base: Event): readonly Event[] => {
  const result = payload.tool_result
  const status = base.kind === 'tool.failed' ? 'failed' : callStatusOf(result)
  const answer = toolOutputOf(result)
  const kind: EventKind = status === 'failed' ? 'tool.failed' : 'tool.after'
  const end: Event = { ...withCall(payload, { ...base, kind }, status), ...(answer !== undefined && { answer }) }
  const agent = stoppedAgent(payload, end)
  if (agent === undefined || answer === undefined || status === 'failed' || isBackgroundLaunch(result)) return [end]
  const stop: Event = { ...base, kind: 'agent.stop', agent, answer, ...(end.call?.tool === 'Agent' && UNKNOWN_CALLER) }
  return end.call === undefined ? [stop] : [stop, end]
}

/** The payload at the end of a spawn is sent by the parent, not by the agent that stopped. */
const UNKNOWN_CALLER = { caller: { kind: 'unknown' } } as const

const stoppedAgent = (payload: JsonObject, { call }: Event): string | undefined => {
  const spawned = call?.tool === 'Agent' && booleanField(call.input, 'run_in_background') !== true
  const isLastWord = isRouterPayload(payload) && !isToolAtWork(call?.tool)
  return (spawned ? stringField(call.input, 'subagent_type') : undefined) ?? (isLastWord ? ROUTER_AGENT : undefined)
}

/** What the router reads or runs is not its decision, even if a file contains an example of a decision. */
function isToolAtWork(tool: string | undefined): boolean {
  if (tool === undefined) return false
  const [action] = canonicalTools.actions.get(tool.toLowerCase()) ?? []
  return isShell(tool) || tool === 'ApplyPatch' || (action !== undefined && AT_WORK.has(action))
}

const AT_WORK: ReadonlySet<string> = new Set(['read', 'write', 'delete', 'search', 'fetch'])

const otherEventDetails = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const agent = stringField(payload, 'agent') ?? stringField(objectField(payload, 'context'), 'agent_name')
  const answer = toolOutputOf(payload.tool_result)
  const stopActive = booleanField(payload, 'stop_hook_active')
  if (kind === 'prompt.submit') {
    const source = PROMPT_SOURCES.find(text => text === payload.source) ?? 'user'
    return { prompt: { text: stringField(payload, 'prompt') ?? '', source } }
  }
  return {
    ...((kind === 'agent.start' || kind === 'agent.stop') && agent !== undefined && { agent }),
    ...(kind === 'agent.stop' && answer !== undefined && { answer }),
    ...(stopActive !== undefined && { stopActive }),
  }
}

/** Tokens that a subagent run used. */
export const tokensSpent = (payload: JsonObject): TokenUsage | undefined =>
  tokenUsageOf(objectField(payload, 'tool_result'))
