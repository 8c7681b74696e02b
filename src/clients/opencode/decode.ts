import type { Call, Caller, Event } from '../../core/index.ts'
import { type EventKind, type JsonObject, PROMPT_SOURCES } from '../../pattern/index.ts'
import { callFrom } from '../calls.ts'
import { timedIdentity } from '../identity.ts'
import { namedEvent } from '../named-event.ts'
import { asInput, blockTexts, flag, object, text } from '../wire.ts'
import { ID, kindOf } from './events.ts'
import { agentAnswer, outputOf, statusOf } from './result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

/** An agent's session has a parent. The plugin asks for it; where it got no answer, nobody knows. */
const callerOf = (payload: JsonObject): Caller => {
  const id = text(payload, 'agent_id')
  const type = text(payload, 'agent_type')
  const named = type === undefined ? {} : { type }
  if (id !== undefined) return { kind: 'agent', id, ...named }
  return text(payload, 'caller') === 'main' ? { kind: 'main', ...named } : { kind: 'unknown' }
}

const told = namedEvent({ client: ID, kindOf, callerOf })

/**
 * What the plugin sends: around a hook's own `input` and `output` (of an event, its `properties`) it puts the name of the hook, the
 * session the person sees (`session_id`), who calls in it, the folder, and the time: ids of calls may come again in another turn.
 */
export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] =>
  eventsOf(payload, told(payload, hint)).map(event => ({ ...event, ...timedIdentity(payload, event) }))

const eventsOf = (payload: JsonObject, base: Event): readonly Event[] => {
  switch (base.kind) {
    case 'tool.before':
      return [withCall(payload, base, asInput(object(payload, 'output').args))]
    case 'tool.after':
      return afterEvents(payload, base)
    case 'tool.failed':
      return [failed(payload, base)]
    case 'prompt.submit':
      return [{ ...base, prompt: { text: promptText(payload), source: sourceOf(payload, base) } }]
    case 'session.start':
      return [base.caller.kind === 'agent' ? started(base) : base]
    case 'turn.stop':
      return [{ ...base, stopActive: flag(payload, 'stop_hook_active') === true }]
    default:
      return [base]
  }
}

const started = (base: Event): Event => {
  const agent = base.caller.kind === 'agent' ? base.caller.type : undefined
  return { ...base, kind: 'agent.start', ...(agent !== undefined && { agent }) }
}

/** Also what the client itself puts in comes as a message: all of its parts are `synthetic` then. */
const sourceOf = (payload: JsonObject, { caller }: Event) => {
  if (caller.kind === 'agent') return 'agent'
  return PROMPT_SOURCES.find(source => source === payload.source) ?? 'user'
}

const promptText = (payload: JsonObject): string => {
  const { parts } = object(payload, 'output')
  return Array.isArray(parts) ? blockTexts(parts).join('\n') : ''
}

const withCall = (payload: JsonObject, base: Event, own: JsonObject, native = toolOf(payload)): Event => {
  if (native === undefined) return base
  const tool = canonicalTool(native, payload)
  const id = text(object(payload, 'input'), 'callID') ?? text(partOf(payload), 'callID')
  const folder = tool === 'Bash' ? text(own, 'workdir') : undefined
  const call = callFrom({ tool, native, input: canonicalInput(tool, own), id, folder })
  return { ...base, call }
}

const toolOf = (payload: JsonObject): string | undefined => text(object(payload, 'input'), 'tool')
const partOf = (payload: JsonObject): JsonObject => object(object(payload, 'properties'), 'part')

/** The end of a spawn tells the agent's answer, which is its last word: it comes first (D7). */
const afterEvents = (payload: JsonObject, base: Event): readonly Event[] => {
  const output = object(payload, 'output')
  const event = withCall(payload, base, asInput(object(payload, 'input').args))
  const { call } = event
  if (call === undefined) return [event]
  const status = statusOf(call.tool, output)
  const answer = outputOf(call.tool, output)
  const kind: EventKind = status === 'failed' ? 'tool.failed' : 'tool.after'
  const after: Event = { ...event, kind, call: { ...call, status }, ...(answer !== undefined && { answer }) }
  const last = call.tool === 'Agent' ? agentAnswer(output) : undefined
  return last === undefined ? [after] : [stopOf(output, call, base, last), after]
}

const stopOf = (output: JsonObject, call: Call, base: Event, answer: string): Event => {
  const id = text(object(output, 'metadata'), 'sessionId')
  const type = text(call.input, 'subagent_type')
  const named = type === undefined ? {} : { type }
  const caller: Caller = id === undefined ? { kind: 'unknown' } : { kind: 'agent', id, ...named }
  return { ...base, kind: 'agent.stop', caller, answer, ...(type !== undefined && { agent: type }) }
}

/** A part of a message that is no tool in error is nothing. */
const failed = (payload: JsonObject, base: Event): Event => {
  const part = partOf(payload)
  const state = object(part, 'state')
  if (text(part, 'type') !== 'tool' || text(state, 'status') !== 'error') return { ...base, kind: 'other' }
  const event = withCall(payload, base, asInput(state.input), text(part, 'tool'))
  const answer = text(state, 'error')
  return {
    ...event,
    ...(event.call && { call: { ...event.call, status: 'failed' } }),
    ...(answer !== undefined && { answer }),
  }
}
