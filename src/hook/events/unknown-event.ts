import type { Client, Reply } from '../../clients/index.ts'
import type { Outcome } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { noticeAudience } from '../notices/notices.ts'

/**
 * An event name that the client's folder does not know, in a payload that carries a tool call: a newer version of the agent, or another agent
 * that runs these hooks. What cannot be known is not safe, so the call is judged like one that is about to be made.
 */
export interface UnknownCallEvent {
  /** undefined: the payload carries several calls, or one that cannot be read */
  readonly payload: JsonObject | undefined
  /** the client's own name of the event that it is judged as */
  readonly as: string
  /** answers in a way that does not depend on the name of the event */
  readonly client: Client
}

/** For events of kind `other`, and for payloads that do not name their event. */
export function unknownCallEventOf(client: Client, payload: JsonObject, name: string): UnknownCallEvent | undefined {
  if (client.eventNames?.has(name)) return undefined
  if (isAboutPast(name) || firstOf(payload, RESULTS) !== undefined) return undefined
  const call = callIn(payload)
  if (call === undefined) return undefined
  const as = callEventOf(client)
  const found = call === 'several' ? undefined : withCall(payload, call)
  return { payload: found, as, client: answeringAs(client, as, name) }
}

/** For a call whose tool is not where the client looks for it: the payload with the call in that place. */
export function withFoundCall(payload: JsonObject): JsonObject | undefined {
  const call = callIn(payload)
  return call === undefined || call === 'several' ? undefined : withCall(payload, call)
}

/** Events after a call: there is nothing left to deny. */
export const isAboutPast = (name: string): boolean =>
  /^(post|after)|(after|denied|fail(ed|ure)?|error|result|end(ed)?|done|completed?|stop(ped)?)$/i.test(name)

const RESULTS = /^(tool_?(response|result|output|error)|error)$/i

const callEventOf = ({ eventNames = new Map() }: Client): string =>
  [...eventNames].find(([, kind]) => kind === 'tool.before')?.[0] ?? 'tool.before'

interface FoundCall {
  readonly tool: string
  readonly input: Json
}

/** The call in a payload, by the names that agents and models use for its parts. */
function callIn(payload: JsonObject): FoundCall | 'several' | undefined {
  const { input, output, command, prompt } = payload
  const list = firstOf(payload, /^(tool_?(calls|uses)|calls)$/i)
  if (Array.isArray(list)) {
    const [only] = list
    return list.length === 0 ? undefined : ((list.length === 1 ? callFrom(only) : undefined) ?? 'several')
  }
  const own = callFrom(payload) ?? callOfWindsurf(payload)
  if (own) return own
  const nested = firstOf(payload, /^(tool|(tool|function)_?(call|use)|call|pre_?tool_?use)$/i)
  if (isObject(nested)) return callFrom(nested) ?? 'several'
  // a plugin's hook: `input` names the tool, `output` holds what it is called with
  if (isObject(input) && typeof input.tool === 'string')
    return { tool: input.tool, input: (isObject(output) ? output.args : undefined) ?? input.args ?? {} }
  const isLine = (typeof command === 'string' && command !== '') || Array.isArray(command)
  if (isLine && prompt === undefined) return { tool: 'unnamed', input: { command: command ?? '' } }
  // an input, and no tool: what it would run cannot be known
  return editIn(payload) ?? (firstOf(payload, /^tool_?(input|args)$/i) === undefined ? undefined : 'several')
}

/** Windsurf names the event `agent_action_name`, after what its tool does, and puts the call into `tool_info`. */
const callOfWindsurf = ({ agent_action_name: name, tool_info: input }: JsonObject): FoundCall | undefined =>
  typeof name === 'string' && isObject(input) && !('user_prompt' in input) && !isAboutPast(name)
    ? { tool: name.replace(/^pre_/, ''), input }
    : undefined

/** An edit without the name of a tool: `{ file_path, edits }` */
function editIn(payload: JsonObject): FoundCall | undefined {
  const path = firstOf(payload, /^(file_?)?path$/i)
  const edits = firstOf(payload, /^(edits|changes|diff|patch|new_?(string|text|content))$/i)
  if (typeof path !== 'string' || path === '' || edits === undefined) return undefined
  return { tool: 'unnamed', input: { file_path: path, edits } }
}

/** The first value of a field with such a name; null counts as missing. */
const firstOf = (from: JsonObject, names: RegExp): Json | undefined =>
  Object.entries(from).find(([key, value]) => value !== null && names.test(key))?.[1]

const INPUTS = /^((tool_?)?(input|args)|arguments|parameters|params)$/i

function callFrom(value: Json | undefined): FoundCall | undefined {
  if (!isObject(value)) return undefined
  const inner = isObject(value.function) ? value.function : value
  const isNested = value.tool_name === undefined && value.toolName === undefined && !('hook_event_name' in value)
  const name = firstOf(inner, isNested ? /^(tool(_?name)?|name)$/i : /^tool(_?name)?$/i)
  return typeof name === 'string' && name !== '' ? { tool: name, input: firstOf(inner, INPUTS) ?? {} } : undefined
}

/** The payload with the call where every client looks for it, and without the name of its event. */
function withCall(payload: JsonObject, { tool, input }: FoundCall): JsonObject {
  const { hook_event_name: _, hookEventName: __, hookName: ___, event: ____, ...rest } = payload
  const { input: given } = rest
  return {
    ...rest,
    ...{ tool_name: tool, toolName: tool, tool_input: input, toolArgs: input },
    input: { ...(isObject(given) ? given : {}), tool },
    output: { args: input },
  }
}

/** The client may ignore a reply in the format of another event. Exit 2 denies on every client that has an exit code for it. */
function answeringAs(client: Client, as: string, name: string): Client {
  const line = `signalbox: unknown event ${name}, treated like ${as}`
  return {
    ...client,
    encode: (outcome, event, judged): Reply => {
      const reply = client.encode(withLine(client, outcome, line), { ...event, name: as }, judged)
      const denies = outcome.decision === 'deny' || outcome.decision === 'ask' || !outcome.continue
      return denies && deniesByExitCode(client) ? exitTwo(outcome, line) : reply
    },
    failure: (answer, event, why) => client.failure(answer, { ...event, name: as, kind: 'tool.before' }, why),
  }
}

/** Another agent runs this client's hooks and may not know its replies. What is asked stays in the client's format: an exit code cannot ask. */
export const answeringForeignAgent = (client: Client): Client => ({
  ...client,
  encode: (outcome, event, judged): Reply =>
    event.kind === 'tool.before' && outcome.decision === 'deny' && deniesByExitCode(client)
      ? exitTwo(outcome, '')
      : client.encode(outcome, event, judged),
})

const deniesByExitCode = (client: Client): boolean => client.failure('closed', {}, '').exitCode === 2

const exitTwo = ({ reason }: Outcome, line: string): Reply => ({
  ...{ exitCode: 2, stdout: '', stderr: reason || line },
  refuses: true,
})

function withLine({ capabilities }: Client, outcome: Outcome, line: string): Outcome {
  const audience = noticeAudience('tool.before', capabilities)
  const field = audience === 'agent' ? 'context' : 'message'
  return { ...outcome, [field]: [outcome[field], line].filter(Boolean).join('\n') }
}
