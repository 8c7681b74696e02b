import type { Caller, Event, ToolCall } from '../../engine/index.ts'
import { type EventKind, PROMPT_SOURCES } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import {
  blockTexts,
  booleanField,
  createCall,
  createEventDecoder,
  identityByTimestamp,
  objectField,
  stringField,
  toToolInput,
} from '../adapter/decode.ts'
import { agentAnswerOf, callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'opencode'

/** Plugin hooks and events (1.18.33). All others are `other`, and the plugin does not send them. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['session.created', 'session.start'],
  ['session.deleted', 'session.end'],
  ['chat.message', 'prompt.submit'],
  ['tool.execute.before', 'tool.before'],
  ['tool.execute.after', 'tool.after'],
  // sent only for a tool that ended in an error: there is no `tool.execute.after` then
  ['message.part.updated', 'tool.failed'],
  ['session.idle', 'turn.stop'],
  ['experimental.session.compacting', 'compact.before'],
])

/** Only the payload shows whether a `tool.execute.after` is a failed call, and whether a session is a subagent's. */
export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'

/** A subagent's session has a parent. The plugin queries it; if the query fails, the caller is unknown. */
const callerOf = (payload: JsonObject): Caller => {
  const id = stringField(payload, 'agent_id')
  const type = stringField(payload, 'agent_type')
  const named = type === undefined ? {} : { type }
  if (id !== undefined) return { kind: 'agent', id, ...named }
  return stringField(payload, 'caller') === 'main' ? { kind: 'main', ...named } : { kind: 'unknown' }
}

const decodeNamedEvent = createEventDecoder({ client: CLIENT_ID, kindOf: eventKindOf, callerOf })

/**
 * The plugin wraps a hook's `input` and `output` (an event's `properties`) with the hook's name, the session that the user sees
 * (`session_id`), the caller, the folder and the time: call ids may repeat in another turn.
 */
export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] =>
  eventsOf(payload, decodeNamedEvent(payload, hint)).map(event => ({
    ...event,
    ...identityByTimestamp(payload, event),
  }))

const eventsOf = (payload: JsonObject, base: Event): readonly Event[] => {
  switch (base.kind) {
    case 'tool.before':
      return [withCall(payload, base, toToolInput(objectField(payload, 'output').args))]
    case 'tool.after':
      return callEndEvents(payload, base)
    case 'tool.failed':
      return [failedCallEvent(payload, base)]
    case 'prompt.submit':
      return [{ ...base, prompt: { text: promptTextOf(payload), source: promptSourceOf(payload, base) } }]
    case 'session.start':
      return [base.caller.kind === 'agent' ? agentStartEvent(base) : base]
    case 'turn.stop':
      return [{ ...base, stopActive: booleanField(payload, 'stop_hook_active') === true }]
    default:
      return [base]
  }
}

const agentStartEvent = (base: Event): Event => {
  const agent = base.caller.kind === 'agent' ? base.caller.type : undefined
  return { ...base, kind: 'agent.start', ...(agent !== undefined && { agent }) }
}

/** The client's own insertions come as messages too: the plugin reports them as `source: system`. */
const promptSourceOf = (payload: JsonObject, { caller }: Event) => {
  if (caller.kind === 'agent') return 'agent'
  return PROMPT_SOURCES.find(source => source === payload.source) ?? 'user'
}

const promptTextOf = (payload: JsonObject): string => {
  const { parts } = objectField(payload, 'output')
  return Array.isArray(parts) ? blockTexts(parts).join('\n') : ''
}

const withCall = (payload: JsonObject, base: Event, own: JsonObject, native = toolNameIn(payload)): Event => {
  if (native === undefined) return base
  const tool = canonicalTool(native, payload)
  const id = stringField(objectField(payload, 'input'), 'callID') ?? stringField(partOf(payload), 'callID')
  const folder = tool === 'Bash' ? stringField(own, 'workdir') : undefined
  const call = createCall({ tool, native, input: canonicalInput(tool, own), id, folder })
  return { ...base, call }
}

const toolNameIn = (payload: JsonObject): string | undefined => stringField(objectField(payload, 'input'), 'tool')
const partOf = (payload: JsonObject): JsonObject => objectField(objectField(payload, 'properties'), 'part')

/** The end of a spawn contains the subagent's answer, so its stop comes first. */
const callEndEvents = (payload: JsonObject, base: Event): readonly Event[] => {
  const output = objectField(payload, 'output')
  const event = withCall(payload, base, toToolInput(objectField(payload, 'input').args))
  const { call } = event
  if (call === undefined) return [event]
  const status = callStatusOf(call.tool, output)
  const answer = toolOutputOf(call.tool, output)
  const kind: EventKind = status === 'failed' ? 'tool.failed' : 'tool.after'
  const after: Event = { ...event, kind, call: { ...call, status }, ...(answer !== undefined && { answer }) }
  const last = call.tool === 'Agent' ? agentAnswerOf(output) : undefined
  return last === undefined ? [after] : [agentStopEvent(output, call, base, last), after]
}

const agentStopEvent = (output: JsonObject, call: ToolCall, base: Event, answer: string): Event => {
  const id = stringField(objectField(output, 'metadata'), 'sessionId')
  const type = stringField(call.input, 'subagent_type')
  const named = type === undefined ? {} : { type }
  const caller: Caller = id === undefined ? { kind: 'unknown' } : { kind: 'agent', id, ...named }
  return { ...base, kind: 'agent.stop', caller, answer, ...(type !== undefined && { agent: type }) }
}

/** Message parts other than a failed tool call are `other`. */
const failedCallEvent = (payload: JsonObject, base: Event): Event => {
  const part = partOf(payload)
  const state = objectField(part, 'state')
  if (stringField(part, 'type') !== 'tool' || stringField(state, 'status') !== 'error')
    return { ...base, kind: 'other' }
  const event = withCall(payload, base, toToolInput(state.input), stringField(part, 'tool'))
  const answer = stringField(state, 'error')
  return {
    ...event,
    ...(event.call && { call: { ...event.call, status: 'failed' } }),
    ...(answer !== undefined && { answer }),
  }
}
