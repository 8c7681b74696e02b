import type { CallStatus, Event, EventKind, PromptSource, ToolCall } from '../../engine/index.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { isObject, type JsonObject, jsonText } from '../../lib/json.ts'
import { booleanField, eventIdentityOf } from '../adapter/decode.ts'
import { DecodeError } from '../client.ts'
import { callerOf, sessionOf } from './caller.ts'
import { fieldOf, stringFieldOf, timestampOf, toolArgsOf } from './fields.ts'
import { callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'copilot-cli'

/** The client's event names (1.0.102): `preToolUse` and `PreToolUse` are the same event in two payload styles. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['sessionStart', 'session.start'],
  ['sessionEnd', 'session.end'],
  ['userPromptSubmitted', 'prompt.submit'],
  ['userPromptSubmit', 'prompt.submit'],
  ['preToolUse', 'tool.before'],
  ['postToolUse', 'tool.after'],
  ['postToolUseFailure', 'tool.failed'],
  ['permissionRequest', 'permission.request'],
  ['subagentStart', 'agent.start'],
  ['subagentStop', 'agent.stop'],
  ['agentStop', 'turn.stop'],
  ['stop', 'turn.stop'],
  ['preCompact', 'compact.before'],
  ['notification', 'notification'],
])

const KIND_BY_LOWER_NAME = new Map([...eventNames].map(([name, kind]) => [name.toLowerCase(), kind]))

export const eventKindOf = (name: string): EventKind => KIND_BY_LOWER_NAME.get(name.toLowerCase()) ?? 'other'

/** A camelCase payload does not name its event, except permission requests: if the hint is no event name, infer it from the fields. */
const eventNameOf = (payload: JsonObject, hint: string | undefined): string | undefined => {
  const knownHint = hint !== undefined && eventKindOf(hint) !== 'other' ? hint : undefined
  return (
    stringFieldOf(payload, 'hookEventName') ??
    stringFieldOf(payload, 'hookName') ??
    knownHint ??
    inferEventName(payload) ??
    hint
  )
}

const inferEventName = (payload: JsonObject): string | undefined => {
  const has = (key: string): boolean => fieldOf(payload, key) !== undefined
  if (has('toolName')) return has('toolResult') ? 'postToolUse' : has('error') ? 'postToolUseFailure' : 'preToolUse'
  if (has('agentName')) return has('stopReason') ? 'subagentStop' : 'subagentStart'
  if (has('stopReason')) return 'agentStop'
  if (has('trigger')) return 'preCompact'
  if (has('transformedPrompt')) return 'userPromptTransformed'
  if (has('prompt')) return 'userPromptSubmitted'
  if (has('notificationType')) return 'notification'
  if (isObject(fieldOf(payload, 'error'))) return 'errorOccurred'
  return has('source') ? 'sessionStart' : has('reason') ? 'sessionEnd' : undefined
}

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const name = eventNameOf(payload, hint.event)
  if (!name) throw new DecodeError('the payload does not name the event: add `--event` to the hook command')
  const kind = eventKindOf(name)
  const caller = callerOf(payload, kind)
  const cwd = stringFieldOf(payload, 'cwd')
  const base: Event = {
    // the end of a subagent's turn is not its stop: `subagentStop` follows, with its answer
    kind: kind === 'turn.stop' && caller.kind === 'agent' ? 'other' : kind,
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
const callEndDetailsOf = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const own = toolArgsOf(payload)
  const tool = canonicalTool(stringFieldOf(payload, 'toolName') ?? '', own)
  const status = kind === 'tool.failed' ? 'failed' : callStatusOf(tool, own, payload)
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
