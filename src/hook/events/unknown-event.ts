import type { Client, Reply } from '../../clients/index.ts'
import type { Event, Outcome } from '../../engine/index.ts'
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

/** For events of kind `other`. */
export function unknownCallEventOf(
  client: Client,
  payload: JsonObject,
  events: readonly Event[],
): UnknownCallEvent | undefined {
  const [event, second] = events
  if (!event || second || client.eventNames?.has(event.name)) return undefined
  if (isAboutPast(event.name) || firstOf(payload, RESULTS) !== undefined) return undefined
  const call = callIn(payload)
  if (call === undefined) return undefined
  const as = callEventOf(client)
  const found = call === 'several' ? undefined : withCall(payload, call)
  return { payload: found, as, client: answeringAs(client, as, event.name) }
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
  const own = callFrom(payload)
  if (own) return own
  const nested = firstOf(payload, /^(tool|(tool|function)_?(call|use)|call)$/i)
  if (isObject(nested)) return callFrom(nested) ?? 'several'
  // a plugin's hook: `input` names the tool, `output` holds what it is called with
  if (isObject(input) && typeof input.tool === 'string')
    return { tool: input.tool, input: (isObject(output) ? output.args : undefined) ?? input.args ?? {} }
  const isLine = (typeof command === 'string' && command !== '') || Array.isArray(command)
  return isLine && prompt === undefined ? { tool: 'unnamed', input: { command: command ?? '' } } : undefined
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
  const line = `signalbox: unknown event ${name}, judged like ${as}`
  return {
    ...client,
    encode: (outcome, event, judged): Reply => {
      const reply = client.encode(withLine(client, outcome, line), { ...event, name: as }, judged)
      const denies = outcome.decision === 'deny' || outcome.decision === 'ask' || !outcome.continue
      if (!denies || client.failure('closed', {}, '').exitCode !== 2) return reply
      return { exitCode: 2, stdout: '', stderr: outcome.reason || line, refuses: true }
    },
    failure: (answer, event, why) => client.failure(answer, { ...event, name: as, kind: 'tool.before' }, why),
  }
}

function withLine({ capabilities }: Client, outcome: Outcome, line: string): Outcome {
  const hears = noticeAudience('tool.before', capabilities)
  const field = hears === 'agent' ? 'context' : 'message'
  return { ...outcome, [field]: [outcome[field], line].filter(Boolean).join('\n') }
}
