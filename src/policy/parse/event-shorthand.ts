import {
  type Action,
  actionsOfTool,
  type Caller,
  type CallStatus,
  type Event,
  inferToolShape,
  normalizeUrl,
  type PathRef,
  PROMPT_SOURCES,
  type PromptSource,
  type ToolShape,
  toAbsolute,
  toUnresolvedAbsolute,
  urlsOfMcpTool,
} from '../../engine/index.ts'
import {
  actionsOfToolShape,
  analysePowershellLine,
  analyseShellLine,
  parsePatchActions,
} from '../../engine/shell/index.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Json, JsonObject } from '../../lib/json.ts'

/** The short form of an event in examples and tests: `{ shell: npm test, after: succeeded, as: builder }`. */
export type EventShorthand = Readonly<Record<string, unknown>>

export interface ShorthandContext {
  readonly root: string
  readonly home: string
  readonly client?: string
}

export type ShorthandResult = { readonly event: Event } | { readonly problem: string }

const SHORTHAND_KEYS = [
  'shell',
  'write',
  'edit',
  'read',
  'delete',
  'fetch',
  'spawn',
  'tool',
  'prompt',
  'stops',
  'starts',
  'stop',
  'input',
  'text',
  'path',
  'url',
  'command',
  'agent',
  'as',
  'caller',
  'after',
  'source',
  'answer',
  'background',
  'event',
  'output',
]

const TOOL_BY_KEY: Readonly<Record<string, { readonly tool: string; readonly field: string }>> = {
  shell: { tool: 'Bash', field: 'command' },
  write: { tool: 'Write', field: 'file_path' },
  edit: { tool: 'Edit', field: 'file_path' },
  read: { tool: 'Read', field: 'file_path' },
  delete: { tool: 'Delete', field: 'file_path' },
  fetch: { tool: 'WebFetch', field: 'url' },
  spawn: { tool: 'Agent', field: 'subagent_type' },
}

/** The field of the tool input that each short key sets beside `tool`. */
const FIELD_BY_KEY: Readonly<Record<string, string>> = {
  path: 'file_path',
  url: 'url',
  command: 'command',
  agent: 'subagent_type',
}

/** Converts the short form to an event of the engine. */
export function parseEventShorthand(short: EventShorthand, context: ShorthandContext): ShorthandResult {
  const unknown = Object.keys(short).find(key => !SHORTHAND_KEYS.includes(key))
  if (unknown !== undefined)
    return { problem: [`unknown key \`${unknown}\``, didYouMean(unknown, SHORTHAND_KEYS) ?? []].flat().join('; ') }
  const base = { client: context.client ?? 'example', session: 'example', caller: callerOf(short), cwd: context.root }
  const call = callOf(short, context)
  if (call) return { event: { ...base, ...call } }
  const answer = typeof short.answer === 'string' ? { answer: short.answer } : {}
  if (typeof short.prompt === 'string') {
    const source = promptSourceOf(short.source)
    return source
      ? { event: { ...base, kind: 'prompt.submit', name: 'prompt', prompt: { text: short.prompt, source } } }
      : { problem: 'unknown `source`' }
  }
  if (typeof short.stops === 'string')
    return { event: { ...base, kind: 'agent.stop', name: 'stops', agent: short.stops, ...answer } }
  if (typeof short.starts === 'string')
    return { event: { ...base, kind: 'agent.start', name: 'starts', agent: short.starts } }
  if (short.stop === true) return { event: { ...base, kind: 'turn.stop', name: 'stop' } }
  return { problem: `it needs one of ${SHORTHAND_KEYS.slice(0, 12).join(', ')}` }
}

const promptSourceOf = (source: unknown): PromptSource | undefined =>
  PROMPT_SOURCES.find(text => text === (source ?? 'user'))

/** For an agent that starts or stops, the caller is that agent. */
function callerOf(short: EventShorthand): Caller {
  const name = short.as ?? short.caller ?? short.stops ?? short.starts
  if (typeof name !== 'string' || name === 'main') return { kind: 'main' }
  if (name === 'unknown') return { kind: 'unknown' }
  return { kind: 'agent', id: name, ...(name === 'agent' ? {} : { type: name }) }
}

function callOf(
  short: EventShorthand,
  context: ShorthandContext,
): Pick<Event, 'kind' | 'name' | 'call' | 'answer'> | null {
  const key = Object.keys(TOOL_BY_KEY).find(name => typeof short[name] === 'string')
  const row = key === undefined ? undefined : TOOL_BY_KEY[key]
  const tool = row?.tool ?? (typeof short.tool === 'string' ? short.tool : undefined)
  if (tool === undefined) return null
  const input: JsonObject = {
    ...toToolInput(short.input),
    ...(short.background === true ? { run_in_background: true } : {}),
  }
  if (typeof short.text === 'string') input[key === 'edit' ? 'new_string' : 'content'] = short.text
  if (row && key !== undefined) input[row.field] = String(short[key])
  else
    for (const [name, field] of Object.entries(FIELD_BY_KEY))
      if (typeof short[name] === 'string') input[field] = String(short[name])
  const shape = inferToolShape(tool, input)
  const actions = actionsOf(tool, input, shape).map(action =>
    resolveAction(inFolder(action, shape?.folder, context), context),
  )
  const status = callStatusOf(short.after)
  const kind = status === undefined ? 'tool.before' : status === 'failed' ? 'tool.failed' : 'tool.after'
  const output = typeof short.output === 'string' ? { answer: short.output } : {}
  return { kind, name: 'call', call: { tool, input, acts: actions, ...(status ? { status } : {}) }, ...output }
}

function actionsOf(tool: string, input: JsonObject, shape: ToolShape | undefined): readonly Action[] {
  const inferred =
    shape && !shape.isDescribed
      ? actionsOfToolShape(shape, line => analyseShellLine(line, { background: shape.background }).acts)
      : []
  const isMcp = tool.toLowerCase().startsWith('mcp_')
  if (shape && !shape.isDescribed && !shape.isExtra && !isMcp) return inferred
  const reading = actionsOfTool(shape?.tool ?? tool, shape?.input ?? input)
  const pages = isMcp ? urlsOfMcpTool(tool, input).map((url): Action => ({ action: 'fetch', url })) : []
  if ('acts' in reading) return [...reading.acts, ...pages, ...inferred]
  if ('powershell' in reading) return [...analysePowershellLine(reading.powershell), ...inferred]
  if ('patch' in reading) return [...parsePatchActions(reading.patch), ...inferred]
  return [...analyseShellLine(reading.shell, { background: reading.background }).acts, ...inferred]
}

const inFolder = (action: Action, folder: string | undefined, { root, home }: ShorthandContext): Action =>
  folder === undefined || typeof action.place?.lexical !== 'string'
    ? action
    : {
        ...action,
        place: {
          ...action.place,
          lexical: toUnresolvedAbsolute(action.place.lexical, toUnresolvedAbsolute(folder, root, home), home),
        },
      }

const resolveAction = (action: Action, context: ShorthandContext): Action => {
  if (action.place) return { ...action, place: resolvePathRef(action.place, context) }
  return action.url ? { ...action, url: normalizeUrl(action.url) } : action
}

const resolvePathRef = (path: PathRef, { root, home }: ShorthandContext): PathRef =>
  path.lexical === null ? path : { ...path, lexical: toAbsolute(path.lexical, root, home) }

const STATUSES: readonly CallStatus[] = ['succeeded', 'failed', 'unknown']
const callStatusOf = (after: unknown): CallStatus | undefined => STATUSES.find(statuse => statuse === after)

/** Copies a value from YAML or JSON as JSON. Anything else is dropped. */
function toToolInput(value: unknown): JsonObject {
  const text = JSON.stringify(value ?? {})
  const copy: Json = JSON.parse(text)
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : {}
}
