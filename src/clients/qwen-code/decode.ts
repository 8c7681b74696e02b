import type { CallStatus, Event, EventKind, ToolCall } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import {
  agentEventDetails,
  callerFromAgentId,
  createCall,
  createEventDecoder,
  identityByTimestamp,
  stringField,
  toolInputOf,
  toolNameOf,
} from '../adapter/decode.ts'
import { promptSourceOf } from './prompt-source.ts'
import { callStatusOf, toolErrorOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'qwen-code'

/** Those of the client's 22 event names (0.24.4) that have a canonical kind. All others are `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['SessionStart', 'session.start'],
  ['SessionEnd', 'session.end'],
  ['UserPromptSubmit', 'prompt.submit'],
  ['PreToolUse', 'tool.before'],
  ['PostToolUse', 'tool.after'],
  ['PostToolUseFailure', 'tool.failed'],
  ['PermissionRequest', 'permission.request'],
  ['SubagentStart', 'agent.start'],
  ['SubagentStop', 'agent.stop'],
  ['Stop', 'turn.stop'],
  ['PreCompact', 'compact.before'],
  ['Notification', 'notification'],
])

export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const event = decodeNamedEvent(payload, hint)
  return [{ ...event, ...identityByTimestamp(payload, event), ...detailsOf(payload, event.kind) }]
}

/**
 * Calls have an `agent_id` but no type. The id consists of the type and the id of the spawning call, such as `router-call_0002`. Model
 * servers format call ids differently: if the end of the id is not recognised, the type stays unknown. The type from SubagentStart
 * is stored by agent id and takes precedence (`typedAtStart`).
 */
const agentTypeOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'agent_type') ??
  /^(.+)-(?:(?:call_|toolu_|chatcmpl-tool-)\w+|[0-9a-f]{8})$/.exec(stringField(payload, 'agent_id') ?? '')?.[1]

const decodeNamedEvent = createEventDecoder({
  client: CLIENT_ID,
  kindOf: eventKindOf,
  callerOf: (payload, kind) => callerFromAgentId(payload, kind, agentTypeOf(payload)),
})

const detailsOf = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
    case 'permission.request':
      return callDetailsOf(payload, kind)
    case 'prompt.submit':
      return { prompt: { text: stringField(payload, 'prompt') ?? '', source: promptSourceOf(payload) } }
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return agentEventDetails(payload, kind)
    default:
      return {}
  }
}

const callDetailsOf = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const native = toolNameOf(payload)
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const call = callOf(payload, tool, native)
  if (kind === 'tool.failed') return callEndDetails(kind, { ...call, status: 'failed' }, toolErrorOf(tool, payload))
  if (kind !== 'tool.after') return { call }
  const status: CallStatus = callStatusOf(tool, payload)
  return callEndDetails(
    status === 'failed' ? 'tool.failed' : kind,
    { ...call, status },
    toolOutputOf(tool, payload, status),
  )
}

const callEndDetails = (kind: EventKind, call: ToolCall, answer: string | undefined): Partial<Event> => ({
  kind,
  call,
  ...(answer !== undefined && { answer }),
})

const callOf = (payload: JsonObject, tool: string, native: string): ToolCall => {
  const own = toolInputOf(payload)
  const id = stringField(payload, 'tool_use_id')
  const folder = tool === 'Bash' ? stringField(own, 'directory') : undefined
  return createCall({ tool, native, input: canonicalInput(tool, own), id, folder })
}
