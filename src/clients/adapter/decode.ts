import type { Caller, Event, EventKind, ToolCall } from '../../engine/index.ts'
import { tryOr } from '../../lib/errors.ts'
import { isObject, type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import { DecodeError, type TokenUsage } from '../client.ts'

interface EventDecoderOptions {
  readonly client: string
  readonly kindOf: (name: string) => EventKind
  readonly callerOf: (payload: JsonObject, kind: EventKind) => Caller
}

/** Decodes the common part of payloads with `hook_event_name`: kind, session, caller and working directory. */
export const createEventDecoder =
  ({ client, kindOf, callerOf }: EventDecoderOptions) =>
  (payload: JsonObject, hint: { readonly event?: string | undefined }): Event => {
    const name = eventNameOf(payload) ?? hint.event
    if (!name) throw new DecodeError('no `hook_event_name` in the payload')
    const kind = kindOf(name)
    const cwd = stringField(payload, 'cwd') ?? stringField(payload, 'workspaceRoot')
    const session = stringField(payload, 'session_id') ?? stringField(payload, 'sessionId') ?? ''
    const model = stringField(payload, 'model')
    const permissions = stringField(payload, 'permission_mode')
    const more = { ...(cwd !== undefined && { cwd }), ...(model && { model }), ...(permissions && { permissions }) }
    return { kind, client, name, session, caller: callerOf(payload, kind), ...more }
  }

/** Agents that run another agent's hooks may spell the common fields differently: Grok and VS Code send `hookEventName` and `sessionId`. */
const eventNameOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'hook_event_name') ?? stringField(payload, 'hookEventName') ?? stringField(payload, 'hookName')

/** Tolerant field readers: a value of another type counts as missing, and so does an empty string. */
export const stringField = (from: JsonObject, key: string): string | undefined => {
  const value = from[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const booleanField = (from: JsonObject, key: string): boolean | undefined => {
  const value = from[key]
  return typeof value === 'boolean' ? value : undefined
}

export const positiveIntField = (from: JsonObject, key: string): number => {
  const value = from[key]
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}

export const objectField = (from: JsonObject, key: string): JsonObject => {
  const value = from[key]
  return isObject(value) ? value : {}
}

/** The called tool. Agents that run another agent's hooks may spell the field differently. */
export const toolNameOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'tool_name') ?? stringField(payload, 'toolName')

/** The call's input, under any name that agents use for it. */
export const toolInputOf = (payload: JsonObject): JsonObject =>
  toToolInput(
    ['tool_input', 'toolInput', 'tool_args', 'toolArgs', 'arguments', 'parameters', 'args', 'params', 'input']
      .map(name => payload[name])
      .find(value => value !== undefined && value !== null),
  )

const MAX_JSON_NESTING = 4

/** An object, or JSON text of an object (at most 4 times encoded); any other value is wrapped as `{ input }`. */
export const toToolInput = (value: Json | undefined): JsonObject => {
  let read = value
  for (let times = 0; typeof read === 'string' && times < MAX_JSON_NESTING; times++) {
    const parsed = parseJsonOrUndefined(read)
    if (parsed === undefined || typeof parsed === 'number' || typeof parsed === 'boolean') break
    read = parsed
  }
  if (isObject(read)) return read
  const isEmpty = read === undefined || read === null || read === '' || (Array.isArray(read) && read.length === 0)
  return isEmpty ? {} : { input: read ?? '' }
}

const parseJsonOrUndefined = (json: string): Json | undefined => tryOr(undefined, () => JSON.parse(json))

/** The texts of `[{ type: 'text', text }]`, the format of models and MCP servers. */
export const blockTexts = (blocks: readonly Json[]): readonly string[] =>
  blocks.flatMap(block => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))

/** A result's `llmContent`: what the model reads, as a string or as parts. */
export const modelTextOf = ({ llmContent }: JsonObject): string => {
  if (typeof llmContent === 'string') return llmContent
  const blocks: readonly Json[] = Array.isArray(llmContent) ? llmContent : llmContent === undefined ? [] : [llmContent]
  return blocks.map(block => (typeof block === 'string' ? block : blockTexts([block]).join(''))).join('\n')
}

/** Token usage from `{ usage: { input_tokens, output_tokens }, model }`. */
export const tokenUsageOf = (result: JsonObject): TokenUsage | undefined => {
  const { input_tokens: input, output_tokens: output } = objectField(result, 'usage')
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const model = stringField(result, 'resolvedModel') ?? stringField(result, 'model')
  return { input, output, ...(model !== undefined && { model }) }
}

/** A subagent's payload has an `agent_id`; an `agent_type` alone means that the main agent runs as that type. */
export const callerFromAgentId = (
  payload: JsonObject,
  kind: EventKind,
  type = stringField(payload, 'agent_type'),
): Caller => {
  const id = stringField(payload, 'agent_id')
  const named = type === undefined ? {} : { type }
  if (id !== undefined) return { kind: 'agent', id, ...named }
  // an agent started or stopped, but the payload does not say which
  if (kind === 'agent.start' || kind === 'agent.stop') return { kind: 'unknown' }
  return { kind: 'main', ...named }
}

/** No `identity`: an agent starts again when it is resumed, and stops again after a denied stop. */
export const agentEventDetails = (
  payload: JsonObject,
  kind: EventKind,
): Pick<Event, 'agent' | 'answer' | 'stopActive'> => {
  const agent = kind === 'turn.stop' ? undefined : stringField(payload, 'agent_type')
  const answer = kind === 'agent.stop' ? stringField(payload, 'last_assistant_message') : undefined
  const stopActive = kind === 'agent.start' ? undefined : booleanField(payload, 'stop_hook_active')
  return {
    ...(agent !== undefined && { agent }),
    ...(answer !== undefined && { answer }),
    ...(stopActive !== undefined && { stopActive }),
  }
}

/**
 * An event's identity: the ids that the client gave it, and its content. Ids alone are not enough: models behind a proxy may
 * restart their call numbers in every turn, and a call must never get another call's reply. The store keeps a hash of it.
 */
export const eventIdentityOf = (ids: readonly string[], about: string): string => JSON.stringify([...ids, about])

/** Identity of a payload with a timestamp, which is the same for every hook that receives it; the whole payload is the content. */
export const identityByTimestamp = (payload: JsonObject, { name, kind }: Event): Pick<Event, 'identity'> => {
  const time = stringField(payload, 'timestamp')
  const content = time === undefined ? '' : jsonText(payload)
  return time === undefined || content === '' ? {} : { identity: eventIdentityOf([name, kind, time], content) }
}

interface CallFields {
  readonly tool: string
  readonly native: string
  readonly input: JsonObject
  readonly id?: string | undefined
  readonly folder?: string | undefined
}

/** A tool call, without absent fields. `acts` is filled in later by the hook. */
export const createCall = ({ tool, native, input, id, folder }: CallFields): ToolCall => ({
  tool,
  ...(tool !== native && { native }),
  input,
  ...(id !== undefined && { id }),
  ...(folder !== undefined && { folder }),
  acts: [],
})

/** Translates a client's tool name to the canonical one; other names are returned unchanged. */
export const createToolTranslator =
  (names: Readonly<Record<string, string>>) =>
  (native: string): string =>
    Object.hasOwn(names, native) ? (names[native] ?? native) : native

type FieldNamesByTool = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Adds canonical field names to an input, by canonical tool; the client's own fields stay, for `input:` conditions. */
export const createFieldTranslator =
  (fields: FieldNamesByTool) =>
  (tool: string, input: JsonObject): JsonObject => {
    const added: [string, Json][] = Object.entries(fields[tool] ?? {}).flatMap(([own, canonical]) => {
      const value = input[own]
      return value === undefined ? [] : [[canonical, value]]
    })
    return { ...input, ...Object.fromEntries(added) }
  }

/** `/name` alone or before a space (`/home/dev/a.txt` is a path). The client sends an expanded command in `<command-…>` tags. */
export const SLASH_COMMAND = /^(?:\/[a-z][\w:.-]*(?:\s|$)|<command-(?:name|message|args)>)/i

/** More URLs than the client fetches at once, and longer ones than servers accept. */
const MAX_URLS = 50
const MAX_URL_LENGTH = 8192

/**
 * URLs in running text, without duplicates and without the punctuation around them. If there are too many, the last entry is
 * '', which stands for an unknown URL.
 */
export const findUrls = (words: string): readonly string[] => {
  const found = words.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? []
  const urls = [...new Set(found.map(url => trimPunctuation(url.slice(0, MAX_URL_LENGTH))))]
  return urls.length > MAX_URLS ? [...urls.slice(0, MAX_URLS), ''] : urls
}

/** `(https://a.io/x_(y)).` → `https://a.io/x_(y)`: a closing bracket belongs to the URL if it was opened there. */
function trimPunctuation(url: string): string {
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1] ?? ''
    const opening = { ')': '(', ']': '[', '}': '{' }[last]
    const isOpen = opening !== undefined && countChar(url, opening, end) >= countChar(url, last, end)
    if (isOpen || (opening === undefined && !'.,;:!?'.includes(last))) break
  }
  return url.slice(0, end)
}

const countChar = (text: string, mark: string, end: number): number => text.slice(0, end).split(mark).length - 1
