import { EVENT_KINDS, type Event, type EventKind, type ToolCall } from '../../engine/index.ts'
import { type JsonObject, jsonText } from '../../lib/json.ts'
import {
  agentEventDetails,
  callerFromAgentId,
  createEventDecoder,
  eventIdentityOf,
  objectField,
  stringField,
  tokenUsageOf,
  toolInputOf,
  toolNameOf,
} from '../adapter/decode.ts'
import type { TokenUsage } from '../client.ts'
import { promptSourceOf } from './prompt-source.ts'
import { callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalTool } from './tools.ts'

export const CLIENT_ID = 'claude-code'

/** The client's name of each canonical event; null: several (2.1.325 has 33 event names). */
const EVENT_NAME_BY_KIND: Readonly<Record<EventKind, string | null>> = {
  'session.start': 'SessionStart',
  'session.end': 'SessionEnd',
  'prompt.submit': 'UserPromptSubmit',
  'tool.before': 'PreToolUse',
  'tool.after': 'PostToolUse',
  'tool.failed': 'PostToolUseFailure',
  'permission.request': 'PermissionRequest',
  'agent.start': 'SubagentStart',
  'agent.stop': 'SubagentStop',
  'turn.stop': 'Stop',
  'compact.before': 'PreCompact',
  notification: 'Notification',
  other: null,
}

export const eventNames: ReadonlyMap<string, EventKind> = new Map(
  EVENT_KINDS.flatMap((kind): [string, EventKind][] => {
    const name = EVENT_NAME_BY_KIND[kind]
    return name === null ? [] : [[name, kind]]
  }),
)

const kindsByLowerName: ReadonlyMap<string, EventKind> = new Map(
  [...eventNames].map(([name, kind]) => [name.toLowerCase(), kind]),
)

/** Other agents run the hooks in Claude Code's settings and may spell its events `preToolUse` or `pre_tool_use`. */
export const eventKindOf = (name: string): EventKind =>
  eventNames.get(name) ?? kindsByLowerName.get(name.replaceAll('_', '').toLowerCase()) ?? 'other'

type EventDetails = Pick<Event, 'call' | 'prompt' | 'agent' | 'answer' | 'stopActive' | 'identity'>

const decodeNamedEvent = createEventDecoder({ client: CLIENT_ID, kindOf: eventKindOf, callerOf: callerFromAgentId })

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const event = decodeNamedEvent(payload, hint)
  return [Object.assign(event, detailsOf(payload, event.kind, event.name))]
}

const detailsOf = (payload: JsonObject, kind: EventKind, name: string): EventDetails => {
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
    case 'permission.request':
      return callDetailsOf(payload, kind, name)
    case 'prompt.submit':
      return promptDetailsOf(payload, name)
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return agentEventDetails(payload, kind)
    default:
      return {}
  }
}

const callDetailsOf = (payload: JsonObject, kind: EventKind, name: string): EventDetails => {
  const native = toolNameOf(payload)
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const input = toolInputOf(payload)
  const id = stringField(payload, 'tool_use_id')
  const after = kind === 'tool.after' && { status: callStatusOf(tool, input, payload) }
  const failed = kind === 'tool.failed' && { status: 'failed' as const }
  const call: ToolCall = {
    tool,
    ...(tool !== native && { native }),
    input,
    ...(id !== undefined && { id }),
    acts: [],
    ...after,
    ...failed,
  }
  const answer = after ? toolOutputOf(tool, input, payload) : failed ? stringField(payload, 'error') : undefined
  const identity = callIdentityOf(payload, name, native)
  return { call, ...(answer !== undefined && { answer }), ...(identity !== undefined && { identity }) }
}

/** No identity without an id (PermissionRequest has none in 2.1.325) or if the input is too deep to serialise: repeats go undetected. */
const callIdentityOf = (payload: JsonObject, name: string, native: string): string | undefined => {
  const id = stringField(payload, 'tool_use_id')
  const input = jsonText(toolInputOf(payload))
  if (id === undefined || input === '') return undefined
  // a relative path means another file in another folder
  return eventIdentityOf(
    [name, stringField(payload, 'prompt_id') ?? '', id, stringField(payload, 'cwd') ?? ''],
    native + input,
  )
}

/** Each submitted prompt has its own `prompt_id` (since 2.1.196), which the other events of its turn carry too. */
const promptDetailsOf = (payload: JsonObject, name: string): EventDetails => {
  const words = stringField(payload, 'prompt') ?? ''
  const id = stringField(payload, 'prompt_id')
  return {
    prompt: { text: words, source: promptSourceOf(payload, words) },
    ...(id !== undefined && { identity: eventIdentityOf([name, id], words) }),
  }
}

/** Tokens that a subagent run used. */
export const tokensSpent = (payload: JsonObject): TokenUsage | undefined =>
  tokenUsageOf(objectField(payload, 'tool_response'))
