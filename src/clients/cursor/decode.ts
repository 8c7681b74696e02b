import type { Caller, Event, EventKind } from '../../engine/index.ts'
import { type JsonObject, jsonText } from '../../lib/json.ts'
import {
  createCall,
  createEventDecoder,
  eventIdentityOf,
  objectField,
  positiveIntField,
  SLASH_COMMAND,
  stringField,
  toolInputOf,
  toolNameOf,
} from '../adapter/decode.ts'
import { callStatusOf, toolOutputOf } from './tool-result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const CLIENT_ID = 'cursor'

/** Those of the 21 documented events that have a canonical kind. Tab completions are not an agent's, so they are `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['sessionStart', 'session.start'],
  ['sessionEnd', 'session.end'],
  ['beforeSubmitPrompt', 'prompt.submit'],
  ['preToolUse', 'tool.before'],
  ['beforeShellExecution', 'tool.before'],
  ['beforeMCPExecution', 'tool.before'],
  ['beforeReadFile', 'tool.before'],
  ['postToolUse', 'tool.after'],
  ['afterShellExecution', 'tool.after'],
  ['afterMCPExecution', 'tool.after'],
  ['afterFileEdit', 'tool.after'],
  ['postToolUseFailure', 'tool.failed'],
  ['subagentStart', 'agent.start'],
  ['subagentStop', 'agent.stop'],
  ['stop', 'turn.stop'],
  ['preCompact', 'compact.before'],
])

/** Cursor may use Claude Code's event name for a hook that it found in Claude Code's settings. */
const CLAUDE_EVENT_NAMES: ReadonlyMap<string, string> = new Map([['UserPromptSubmit', 'beforeSubmitPrompt']])

export const cursorEventName = (name: string): string =>
  CLAUDE_EVENT_NAMES.get(name) ?? (eventNames.has(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

export const eventKindOf = (name: string): EventKind => eventNames.get(cursorEventName(name)) ?? 'other'

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const base = decodeNamedEvent(payload, hint)
  const { name, kind } = base
  // a subagent's events belong to the conversation that started it, if the payload names it
  const session =
    stringField(payload, 'parent_conversation_id') ?? stringField(payload, 'conversation_id') ?? base.session
  const cwd = base.cwd ?? firstRootOf(payload.workspace_roots)
  const caller = callerOf(payload, name, kind)
  const event = { ...base, session, caller, ...(cwd !== undefined && { cwd }), ...detailsOf(payload, name, kind) }
  return [{ ...event, ...identityOfEvent(payload, event) }]
}

const decodeNamedEvent = createEventDecoder({
  client: CLIENT_ID,
  kindOf: eventKindOf,
  callerOf: () => ({ kind: 'main' }),
})

const firstRootOf = (roots: unknown): string | undefined => {
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** `parent_tool_call_id` marks a subagent's call. This is inferred from the name: it is neither documented nor tested. */
const callerOf = (payload: JsonObject, name: string, kind: EventKind): Caller => {
  const type = stringField(payload, 'subagent_type')
  const id = stringField(payload, 'subagent_id') ?? stringField(payload, 'parent_tool_call_id')
  if (id !== undefined) return { kind: 'agent', id, ...(type !== undefined && { type }) }
  if (kind === 'agent.start' || kind === 'agent.stop') return { kind: 'unknown' }
  // the older events for shell, MCP and files never name the caller
  return CALL_EVENTS.has(cursorEventName(name)) ? { kind: 'unknown' } : { kind: 'main' }
}

/** A hook registered twice gets an event twice, with the same ids and the same content. */
const identityOfEvent = (payload: JsonObject, { kind, session, call, prompt }: Event): Pick<Event, 'identity'> => {
  const turn = stringField(payload, 'generation_id')
  const id = call === undefined ? '' : call.id
  const about = jsonText({ input: call?.input ?? null, prompt: prompt?.text ?? null, loop: payload.loop_count ?? null })
  const namesCaller = call !== undefined || prompt !== undefined || kind === 'turn.stop'
  if (!namesCaller || turn === undefined || id === undefined || about === '') return {}
  return { identity: eventIdentityOf([kind, session, turn, id], about) }
}

const detailsOf = (payload: JsonObject, name: string, kind: EventKind): Partial<Event> => {
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
      return callDetailsOf(payload, name, kind)
    case 'prompt.submit': {
      const words = stringField(payload, 'prompt') ?? ''
      return { prompt: { text: words, source: SLASH_COMMAND.test(words.trimStart()) ? 'command' : 'user' } }
    }
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return stopDetailsOf(payload, kind)
    default:
      return {}
  }
}

/** `loop_count` counts how often a hook made the agent continue. */
const stopDetailsOf = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const agent = stringField(payload, 'subagent_type')
  const answer = kind === 'agent.stop' ? stringField(payload, 'summary') : undefined
  return {
    ...(agent !== undefined && kind !== 'turn.stop' && { agent }),
    ...(answer !== undefined && { answer }),
    ...(kind !== 'agent.start' && { stopActive: positiveIntField(payload, 'loop_count') > 0 }),
  }
}

/** Events for one kind of call: how to read its tool and input. */
const CALL_EVENTS: ReadonlyMap<
  string,
  (payload: JsonObject) => readonly [native: string | undefined, input: JsonObject]
> = new Map([
  ['beforeShellExecution', payload => ['Shell', pickField(payload, 'command')]],
  ['afterShellExecution', payload => ['Shell', pickField(payload, 'command')]],
  ['beforeMCPExecution', payload => [mcpName(payload), toolInputOf(payload)]],
  ['afterMCPExecution', payload => [mcpName(payload), toolInputOf(payload)]],
  ['beforeReadFile', payload => ['Read', pickField(payload, 'file_path')]],
  ['afterFileEdit', payload => ['Edit', pickField(payload, 'file_path')]],
])

const pickField = (payload: JsonObject, key: string): JsonObject => {
  const value = payload[key]
  return value === undefined ? {} : { [key]: value }
}

const mcpName = (payload: JsonObject): string | undefined => {
  const name = stringField(payload, 'tool_name')
  return name === undefined || name.startsWith('MCP:') ? name : `MCP:${name}`
}

const callDetailsOf = (payload: JsonObject, name: string, kind: EventKind): Partial<Event> => {
  const [native, own] = CALL_EVENTS.get(cursorEventName(name))?.(payload) ?? [toolNameOf(payload), toolInputOf(payload)]
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const id = stringField(payload, 'tool_use_id')
  const folder = tool === 'Bash' ? stringField(objectField(payload, 'tool_input'), 'working_directory') : undefined
  const call = createCall({ tool, native, input: canonicalInput(tool, own), id, folder })
  if (kind === 'tool.before') return { call }
  const status = kind === 'tool.failed' ? 'failed' : callStatusOf(tool, payload)
  const answer = kind === 'tool.failed' ? stringField(payload, 'error_message') : toolOutputOf(payload)
  return {
    kind: status === 'failed' ? 'tool.failed' : kind,
    call: { ...call, status },
    ...(answer !== undefined && { answer }),
  }
}
