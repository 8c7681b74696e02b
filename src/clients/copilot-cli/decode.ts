import type { CallStatus, Event, EventKind, PromptSource, ToolCall } from '../../engine/index.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { type JsonObject, jsonText } from '../../lib/json.ts'
import { booleanField, eventIdentityOf } from '../adapter/decode.ts'
import { DecodeError } from '../client.ts'
import { callerOf, sessionOf } from './caller.ts'
import { CLIENT_ID, eventKindOf, eventNameOf } from './events.ts'
import { stringFieldOf, timestampOf, toolArgsOf } from './fields.ts'
import { callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const name = eventNameOf(payload, hint.event)
  if (!name) throw new DecodeError('no event name, and no field that tells: give `--event`')
  const told = eventKindOf(name)
  const caller = callerOf(payload, told)
  const cwd = stringFieldOf(payload, 'cwd')
  const base: Event = {
    // the end of a subagent's turn is not its stop: `subagentStop` follows, with its answer
    kind: told === 'turn.stop' && caller.kind === 'agent' ? 'other' : told,
    client: CLIENT_ID,
    name,
    session: sessionOf(payload),
    caller,
    ...(cwd !== undefined && { cwd }),
  }
  const event = { ...base, ...detailsOf(payload, base) }
  return [{ ...event, ...identityOfEvent(payload, event) }]
}

/** Identity by the event's timestamp. Independent of the payload style: a hook registered in both styles gets the event twice. */
const identityOfEvent = (
  payload: JsonObject,
  { kind, name, caller, call, prompt, answer }: Event,
): Pick<Event, 'identity'> => {
  const time = timestampOf(payload)
  const about = jsonText([call?.tool ?? '', toolArgsOf(payload), prompt?.text ?? '', answer ?? ''])
  if (time === undefined || about === '') return {}
  const ids = [kind === 'other' ? name.toLowerCase() : kind, String(time), caller.kind === 'agent' ? caller.id : '']
  return { identity: eventIdentityOf(ids, about) }
}

const detailsOf = (payload: JsonObject, { kind }: Event): Partial<Event> => {
  switch (kind) {
    case 'tool.before':
    case 'permission.request':
      return callDetailsOf(payload)
    case 'tool.after':
    case 'tool.failed':
      return callEndDetailsOf(payload, kind)
    case 'prompt.submit':
      return { prompt: { text: stringFieldOf(payload, 'prompt') ?? '', source: promptSourceOf(payload) } }
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return stopDetailsOf(payload, kind)
    default:
      return {}
  }
}

/** Calls have no id: a hash of the input replaces it. */
const callDetailsOf = (payload: JsonObject, status?: CallStatus): { readonly call?: ToolCall } => {
  const native = stringFieldOf(payload, 'toolName')
  if (native === undefined) return {}
  const own = toolArgsOf(payload)
  const tool = canonicalTool(native, own)
  const content = jsonText(own)
  const call: ToolCall = {
    tool,
    ...(tool !== native && { native }),
    input: canonicalInput(tool, own),
    ...(content !== '' && { id: `${tool}/${fnv64(content)}` }),
    acts: [],
    ...(status !== undefined && { status }),
  }
  return { call }
}

/** A failed shell call comes as `postToolUse` too. */
const callEndDetailsOf = (payload: JsonObject, told: EventKind): Partial<Event> => {
  const own = toolArgsOf(payload)
  const tool = canonicalTool(stringFieldOf(payload, 'toolName') ?? '', own)
  const status = told === 'tool.failed' ? 'failed' : callStatusOf(tool, own, payload)
  const answer = toolOutputOf(own, payload)
  return {
    kind: status === 'failed' ? 'tool.failed' : 'tool.after',
    ...callDetailsOf(payload, status),
    ...(answer !== undefined && { answer }),
  }
}

/** Prompts that the client itself inserts are in tags; a subagent's turn begins with its parent's prompt. */
const promptSourceOf = (payload: JsonObject): PromptSource => {
  if (stringFieldOf(payload, 'agentId') !== undefined) return 'agent'
  return /^\s*<system_(?:notification|reminder)>/.test(stringFieldOf(payload, 'prompt') ?? '') ? 'system' : 'user'
}

const stopDetailsOf = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const agent =
    kind === 'turn.stop' ? undefined : (stringFieldOf(payload, 'agentType') ?? stringFieldOf(payload, 'agentName'))
  const answer =
    kind === 'agent.stop'
      ? (stringFieldOf(payload, 'response') ?? stringFieldOf(payload, 'lastAssistantMessage'))
      : undefined
  const stopActive = booleanField(payload, 'stop_hook_active')
  return {
    ...(agent !== undefined && { agent }),
    ...(answer !== undefined && { answer }),
    ...(stopActive !== undefined && { stopActive }),
  }
}
