import type { Caller, Event } from '../../core/index.ts'
import { type EventKind, type JsonObject, jsonText } from '../../pattern/index.ts'
import { callFrom } from '../calls.ts'
import { identityOf } from '../identity.ts'
import { namedEvent } from '../named-event.ts'
import { COMMAND } from '../prompts.ts'
import { count, inputOf, object, text, toolOf } from '../wire.ts'
import { ID, kindOf, ownName } from './events.ts'
import { outputOf, statusOf } from './result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const base = told(payload, hint)
  const { name, kind } = base
  // what an agent does is judged in the conversation that started it, where that is told
  const session = text(payload, 'parent_conversation_id') ?? text(payload, 'conversation_id') ?? base.session
  const cwd = base.cwd ?? firstOf(payload.workspace_roots)
  const caller = callerOf(payload, name, kind)
  const event = { ...base, session, caller, ...(cwd !== undefined && { cwd }), ...detailsOf(payload, name, kind) }
  return [{ ...event, ...identity(payload, event) }]
}

const told = namedEvent({ client: ID, kindOf, callerOf: () => ({ kind: 'main' }) })

const firstOf = (roots: unknown): string | undefined => {
  const first: unknown = Array.isArray(roots) ? roots[0] : undefined
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** Calls that carry `parent_tool_call_id` are an agent's. That is how the name reads: it is not documented, nor was it seen. */
const callerOf = (payload: JsonObject, name: string, kind: EventKind): Caller => {
  const type = text(payload, 'subagent_type')
  const id = text(payload, 'subagent_id') ?? text(payload, 'parent_tool_call_id')
  if (id !== undefined) return { kind: 'agent', id, ...(type !== undefined && { type }) }
  if (kind === 'agent.start' || kind === 'agent.stop') return { kind: 'unknown' }
  // the older events of a shell, a server or a file never say whose they are
  return CALLS.has(ownName(name)) ? { kind: 'unknown' } : { kind: 'main' }
}

/** Registered in two places, an event comes twice: with the same ids, and the same words. */
const identity = (payload: JsonObject, { kind, session, call, prompt }: Event): Pick<Event, 'identity'> => {
  const turn = text(payload, 'generation_id')
  const id = call === undefined ? '' : call.id
  const about = jsonText({ input: call?.input ?? null, prompt: prompt?.text ?? null, loop: payload.loop_count ?? null })
  const told = call !== undefined || prompt !== undefined || kind === 'turn.stop'
  if (!told || turn === undefined || id === undefined || about === '') return {}
  return { identity: identityOf([kind, session, turn, id], about) }
}

const detailsOf = (payload: JsonObject, name: string, kind: EventKind): Partial<Event> => {
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
      return callDetails(payload, name, kind)
    case 'prompt.submit': {
      const words = text(payload, 'prompt') ?? ''
      return { prompt: { text: words, source: COMMAND.test(words.trimStart()) ? 'command' : 'user' } }
    }
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return stopDetails(payload, kind)
    default:
      return {}
  }
}

/** How often it went on because of a hook is counted. */
const stopDetails = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const agent = text(payload, 'subagent_type')
  const answer = kind === 'agent.stop' ? text(payload, 'summary') : undefined
  return {
    ...(agent !== undefined && kind !== 'turn.stop' && { agent }),
    ...(answer !== undefined && { answer }),
    ...(kind !== 'agent.start' && { stopActive: count(payload, 'loop_count') > 0 }),
  }
}

/** Events of one kind of call: its tool, and its input. */
const CALLS: ReadonlyMap<string, (payload: JsonObject) => readonly [native: string | undefined, input: JsonObject]> =
  new Map([
    ['beforeShellExecution', payload => ['Shell', pick(payload, 'command')]],
    ['afterShellExecution', payload => ['Shell', pick(payload, 'command')]],
    ['beforeMCPExecution', payload => [mcpName(payload), inputOf(payload)]],
    ['afterMCPExecution', payload => [mcpName(payload), inputOf(payload)]],
    ['beforeReadFile', payload => ['Read', pick(payload, 'file_path')]],
    ['afterFileEdit', payload => ['Edit', pick(payload, 'file_path')]],
  ])

const pick = (payload: JsonObject, key: string): JsonObject => {
  const value = payload[key]
  return value === undefined ? {} : { [key]: value }
}

const mcpName = (payload: JsonObject): string | undefined => {
  const name = text(payload, 'tool_name')
  return name === undefined || name.startsWith('MCP:') ? name : `MCP:${name}`
}

const callDetails = (payload: JsonObject, name: string, kind: EventKind): Partial<Event> => {
  const [native, own] = CALLS.get(ownName(name))?.(payload) ?? [toolOf(payload), inputOf(payload)]
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const id = text(payload, 'tool_use_id')
  const folder = tool === 'Bash' ? text(object(payload, 'tool_input'), 'working_directory') : undefined
  const call = callFrom({ tool, native, input: canonicalInput(tool, own), id, folder })
  if (kind === 'tool.before') return { call }
  const status = kind === 'tool.failed' ? 'failed' : statusOf(tool, payload)
  const answer = kind === 'tool.failed' ? text(payload, 'error_message') : outputOf(payload)
  return {
    kind: status === 'failed' ? 'tool.failed' : kind,
    call: { ...call, status },
    ...(answer !== undefined && { answer }),
  }
}
