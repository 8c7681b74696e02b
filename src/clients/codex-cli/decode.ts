import type { Event, EventKind, PromptSource, ToolCall } from '../../engine/index.ts'
import { type JsonObject, jsonText } from '../../lib/json.ts'
import {
  agentEventDetails,
  callerFromAgentId,
  createEventDecoder,
  eventIdentityOf,
  stringField,
  toolInputOf,
  toolNameOf,
} from '../adapter/decode.ts'
import { toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'codex-cli'

/** The client's event names (0.166.0). PostToolUse comes for failed calls too; PostCompact is `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['SessionStart', 'session.start'],
  ['SessionEnd', 'session.end'],
  ['UserPromptSubmit', 'prompt.submit'],
  ['PreToolUse', 'tool.before'],
  ['PostToolUse', 'tool.after'],
  ['PermissionRequest', 'permission.request'],
  ['SubagentStart', 'agent.start'],
  ['SubagentStop', 'agent.stop'],
  ['Stop', 'turn.stop'],
  ['PreCompact', 'compact.before'],
])

export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'

/** A subagent's payload has the main agent's session id and its own `agent_id`. */
const decodeNamedEvent = createEventDecoder({ client: CLIENT_ID, kindOf: eventKindOf, callerOf: callerFromAgentId })

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const event = decodeNamedEvent(payload, hint)
  return [Object.assign(event, detailsOf(payload, event))]
}

const detailsOf = (payload: JsonObject, { kind, name }: Event): Partial<Event> => {
  if (kind === 'tool.before' || kind === 'tool.after' || kind === 'permission.request')
    return callDetailsOf(payload, kind, name)
  if (kind === 'agent.start' || kind === 'agent.stop' || kind === 'turn.stop') return agentEventDetails(payload, kind)
  return kind === 'prompt.submit' ? promptDetailsOf(payload, name) : {}
}

const callDetailsOf = (payload: JsonObject, kind: EventKind, name: string): Partial<Event> => {
  const native = toolNameOf(payload)
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const own = toolInputOf(payload)
  const id = stringField(payload, 'tool_use_id')
  const call: ToolCall = {
    tool,
    ...(tool !== native && { native }),
    input: canonicalInput(tool, own),
    ...(id !== undefined && { id }),
    acts: [],
    ...(kind === 'tool.after' && { status: 'unknown' }),
  }
  const answer = kind === 'tool.after' ? toolOutputOf(tool, payload) : undefined
  const content = jsonText(own)
  // no identity without an id (PermissionRequest has none) or if the input is nested too deeply to serialise: no repeat is detected
  const ids = [name, stringField(payload, 'turn_id') ?? '', id ?? '', stringField(payload, 'cwd') ?? '']
  return {
    call,
    ...(answer !== undefined && { answer }),
    ...(id !== undefined && content !== '' && { identity: eventIdentityOf(ids, native + content) }),
  }
}

const promptDetailsOf = (payload: JsonObject, name: string): Partial<Event> => {
  const words = stringField(payload, 'prompt') ?? ''
  const turn = stringField(payload, 'turn_id')
  return {
    prompt: { text: words, source: promptSourceOf(payload, words) },
    ...(turn !== undefined && { identity: eventIdentityOf([name, turn], words) }),
  }
}

/** Prompts that the client itself inserts are in tags. */
const promptSourceOf = (payload: JsonObject, prompt: string): PromptSource => {
  if (stringField(payload, 'agent_id') !== undefined) return 'agent'
  return /^\s*<(?:subagent_notification|environment_context|turn_aborted|hook_prompt)\b/.test(prompt)
    ? 'system'
    : 'user'
}
