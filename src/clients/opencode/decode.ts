import type { Caller, Event, ToolCall } from '../../engine/index.ts'
import { type EventKind, PROMPT_SOURCES } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createCall } from '../adapter/decode/call.ts'
import { blockTexts, booleanField, objectField, stringField, toToolInput } from '../adapter/decode/fields.ts'
import { identityByTimestamp } from '../adapter/decode/identity.ts'
import { createEventDecoder } from '../adapter/decode/named-event.ts'
import { CLIENT_ID, eventKindOf } from './events.ts'
import { agentAnswerOf, callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

/** An agent's session has a parent. The plugin asks for it; where it got no answer, nobody knows. */
const callerOf = (payload: JsonObject): Caller => {
  const id = stringField(payload, 'agent_id')
  const type = stringField(payload, 'agent_type')
  const named = type === undefined ? {} : { type }
  if (id !== undefined) return { kind: 'agent', id, ...named }
  return stringField(payload, 'caller') === 'main' ? { kind: 'main', ...named } : { kind: 'unknown' }
}

const decodeNamedEvent = createEventDecoder({ client: CLIENT_ID, kindOf: eventKindOf, callerOf })

/**
 * What the plugin sends: around a hook's own `input` and `output` (of an event, its `properties`) it puts the name of the hook, the
 * session the person sees (`session_id`), who calls in it, the folder, and the time: ids of calls may come again in another turn.
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

/** Also what the client itself puts in comes as a message: all of its parts are `synthetic` then. */
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

/** The end of a spawn tells the agent's answer, which is its last word: it comes first (D7). */
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

/** A part of a message that is no tool in error is nothing. */
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
