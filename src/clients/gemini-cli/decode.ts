import type { Event, EventKind, ToolCall } from '../../engine/index.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { type JsonObject, jsonText } from '../../lib/json.ts'
import {
  booleanField,
  createEventDecoder,
  identityByTimestamp,
  objectField,
  stringField,
  toolInputOf,
  toolNameOf,
} from '../adapter/decode.ts'
import { agentAnswerOf, callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'gemini-cli'

/** The client has eleven event names (0.61.0). Model requests and unknown names are `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['SessionStart', 'session.start'],
  ['SessionEnd', 'session.end'],
  ['BeforeAgent', 'prompt.submit'],
  ['AfterAgent', 'turn.stop'],
  ['BeforeTool', 'tool.before'],
  ['AfterTool', 'tool.after'],
  ['PreCompress', 'compact.before'],
  ['Notification', 'notification'],
])

/** AfterTool is always `tool.after` here: only the payload shows whether the call failed. */
export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'

/** All events except calls come from the main agent. */
const decodeNamedEvent = createEventDecoder({
  client: CLIENT_ID,
  kindOf: eventKindOf,
  callerOf: () => ({ kind: 'main' }),
})

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const base = { ...decodeNamedEvent(payload, hint), ...eventTimeOf(payload) }
  const { kind } = base
  const events =
    kind === 'tool.before' || kind === 'tool.after' ? callEventsOf(payload, base) : [otherEvent(payload, base)]
  return events.map(event => Object.assign(event, identityByTimestamp(payload, event)))
}

/** Any call except `complete_task` may be the main agent's, parallel to a spawn. `at` helps to infer the caller; 0: no timestamp. */
const eventTimeOf = (payload: JsonObject): Pick<Event, 'at'> =>
  toolNameOf(payload) === 'complete_task' ? {} : { at: Date.parse(stringField(payload, 'timestamp') ?? '') || 0 }

const otherEvent = (payload: JsonObject, base: Event): Event => {
  if (base.kind === 'prompt.submit')
    return { ...base, prompt: { text: stringField(payload, 'prompt') ?? '', source: promptSourceOf(payload) } }
  const stopActive = base.kind === 'turn.stop' ? booleanField(payload, 'stop_hook_active') : undefined
  return stopActive === undefined ? base : { ...base, stopActive }
}

/** Slash commands arrive expanded and cannot be detected; prompts that the client itself inserts are in tags. */
const promptSourceOf = (payload: JsonObject): 'user' | 'system' =>
  /^\s*<(?:session_context|hook_context|background_output)>/.test(stringField(payload, 'prompt') ?? '')
    ? 'system'
    : 'user'

/**
 * Nothing marks a subagent's calls, so the caller is inferred from the session. Only `invoke_agent` is certainly the main agent's:
 * subagents do not get that tool (0.61.0). A subagent calls `complete_task` before it stops, which can still be denied; the end of
 * `invoke_agent` is the same stop again, and counts only if there was no `complete_task`.
 */
const callEventsOf = (payload: JsonObject, base: Event): readonly Event[] => {
  const native = toolNameOf(payload)
  if (native === undefined) return [{ ...base, caller: { kind: 'unknown' } }]
  const tool = canonicalTool(native, payload)
  const own = toolInputOf(payload)
  const caller = { kind: tool === 'Agent' ? ('main' as const) : ('unknown' as const) }
  const call = callOf(tool, native, own)
  const stop: Event = { ...base, kind: 'agent.stop', caller: { kind: 'unknown' } }
  if (base.kind === 'tool.before') {
    const before: Event = Object.assign({}, base, { caller, call })
    return native === 'complete_task' ? [before, { ...stop, answer: resultOf(own) }] : [before]
  }
  const status = callStatusOf(tool, own, payload)
  const kind: EventKind = status === 'failed' ? 'tool.failed' : 'tool.after'
  const answer = status === 'unknown' ? undefined : toolOutputOf(tool, payload)
  const ended = { kind, caller, call: Object.assign({}, call, { status }), ...(answer !== undefined && { answer }) }
  const after: Event = Object.assign({}, base, ended)
  const agent = tool === 'Agent' ? stringField(own, 'agent_name') : undefined
  const last = status === 'succeeded' ? agentAnswerOf(objectField(payload, 'tool_response')) : undefined
  return agent === undefined || last === undefined ? [after] : [{ ...stop, agent, answer: last }, after]
}

/** Older versions use `directory`. Calls have no id: a hash of the input replaces it, since the inferred caller may change by the end. */
const callOf = (tool: string, native: string, own: JsonObject): ToolCall => {
  const content = jsonText(own)
  const folder = tool === 'Bash' ? (stringField(own, 'dir_path') ?? stringField(own, 'directory')) : undefined
  return {
    tool,
    native,
    input: canonicalInput(tool, own),
    ...(content !== '' && { id: `${native}/${fnv64(content)}` }),
    ...(folder !== undefined && { folder }),
    acts: [],
  }
}

/** A subagent's `result` is a string, or an object in the format of its definition. */
const resultOf = (input: JsonObject): string => stringField(input, 'result') ?? jsonText(input.result ?? input)

/**
 * A subagent's transcript is in a folder named after the session, beside the session's own. The client creates it when `invoke_agent` runs,
 * and reports all calls of the turn before it runs the first (0.61.0).
 */
export const transcriptPathsOf = (
  payload: JsonObject,
): { readonly own: string; readonly agents: string } | undefined => {
  const own = stringField(payload, 'transcript_path')
  const session = stringField(payload, 'session_id')
  if (own === undefined || session === undefined || !/^[\w-]+$/.test(session)) return undefined
  return { own, agents: own.slice(0, own.lastIndexOf('/') + 1) + session }
}
