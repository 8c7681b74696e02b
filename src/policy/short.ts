import { type Act, actsOfTool, type Caller, type Event, type Status } from '../core/index.ts'
import {
  anchored,
  inferTool,
  type Json,
  type JsonObject,
  mcpUrls,
  type Place,
  PROMPT_SOURCES,
  type PromptSource,
  plainUrl,
  type ToolShape,
  toAbsolute,
} from '../pattern/index.ts'
import { actsOfShape, readPatch, readShell } from '../shell/index.ts'
import { didYouMean } from './guess.ts'

/** `{ shell: npm test, after: succeeded, as: builder }`: how examples and tests write an event. */
export type ShortEvent = Readonly<Record<string, unknown>>

export interface ShortGround {
  readonly root: string
  readonly home: string
  readonly client?: string
}

export type ShortReading = { readonly event: Event } | { readonly problem: string }

const KEYS = [
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

const TOOL_OF: Readonly<Record<string, { readonly tool: string; readonly field: string }>> = {
  shell: { tool: 'Bash', field: 'command' },
  write: { tool: 'Write', field: 'file_path' },
  edit: { tool: 'Edit', field: 'file_path' },
  read: { tool: 'Read', field: 'file_path' },
  delete: { tool: 'Delete', field: 'file_path' },
  fetch: { tool: 'WebFetch', field: 'url' },
  spawn: { tool: 'Agent', field: 'subagent_type' },
}

/** Which field of a tool's input the short keys stand for, where one is given beside `tool`. */
const FIELD_OF: Readonly<Record<string, string>> = {
  path: 'file_path',
  url: 'url',
  command: 'command',
  agent: 'subagent_type',
}

/** The short form as an event of the core. */
export function readShort(short: ShortEvent, ground: ShortGround): ShortReading {
  const unknown = Object.keys(short).find(key => !KEYS.includes(key))
  if (unknown !== undefined)
    return { problem: [`unknown key \`${unknown}\``, didYouMean(unknown, KEYS) ?? []].flat().join('; ') }
  const base = { client: ground.client ?? 'example', session: 'example', caller: callerOf(short), cwd: ground.root }
  const call = callOf(short, ground)
  if (call) return { event: { ...base, ...call } }
  const answer = typeof short.answer === 'string' ? { answer: short.answer } : {}
  if (typeof short.prompt === 'string') {
    const source = sourceOf(short.source)
    return source
      ? { event: { ...base, kind: 'prompt.submit', name: 'prompt', prompt: { text: short.prompt, source } } }
      : { problem: 'unknown `source`' }
  }
  if (typeof short.stops === 'string')
    return { event: { ...base, kind: 'agent.stop', name: 'stops', agent: short.stops, ...answer } }
  if (typeof short.starts === 'string')
    return { event: { ...base, kind: 'agent.start', name: 'starts', agent: short.starts } }
  if (short.stop === true) return { event: { ...base, kind: 'turn.stop', name: 'stop' } }
  return { problem: `it needs one of ${KEYS.slice(0, 12).join(', ')}` }
}

const sourceOf = (source: unknown): PromptSource | undefined => PROMPT_SOURCES.find(one => one === (source ?? 'user'))

/** An agent that starts or stops is the caller itself. */
function callerOf(short: ShortEvent): Caller {
  const name = short.as ?? short.caller ?? short.stops ?? short.starts
  if (typeof name !== 'string' || name === 'main') return { kind: 'main' }
  if (name === 'unknown') return { kind: 'unknown' }
  return { kind: 'agent', id: name, ...(name === 'agent' ? {} : { type: name }) }
}

function callOf(short: ShortEvent, ground: ShortGround): Pick<Event, 'kind' | 'name' | 'call' | 'answer'> | null {
  const key = Object.keys(TOOL_OF).find(one => typeof short[one] === 'string')
  const row = key === undefined ? undefined : TOOL_OF[key]
  const tool = row?.tool ?? (typeof short.tool === 'string' ? short.tool : undefined)
  if (tool === undefined) return null
  const input: JsonObject = {
    ...inputOf(short.input),
    ...(short.background === true ? { run_in_background: true } : {}),
  }
  if (row && key !== undefined) input[row.field] = String(short[key])
  else
    for (const [name, field] of Object.entries(FIELD_OF))
      if (typeof short[name] === 'string') input[field] = String(short[name])
  const shape = inferTool(tool, input)
  const acts = actsOf(tool, input, shape).map(act => settleAct(inFolder(act, shape?.folder, ground), ground))
  const status = statusOf(short.after)
  const kind = status === undefined ? 'tool.before' : status === 'failed' ? 'tool.failed' : 'tool.after'
  const output = typeof short.output === 'string' ? { answer: short.output } : {}
  return { kind, name: 'call', call: { tool, input, acts, ...(status ? { status } : {}) }, ...output }
}

function actsOf(tool: string, input: JsonObject, shape: ToolShape | undefined): readonly Act[] {
  const inferred =
    shape && !shape.isDescribed
      ? actsOfShape(shape, line => readShell(line, { background: shape.background }).acts)
      : []
  const isMcp = tool.toLowerCase().startsWith('mcp_')
  if (shape && !shape.isDescribed && !shape.isExtra && !isMcp) return inferred
  const reading = actsOfTool(shape?.tool ?? tool, shape?.input ?? input)
  const pages = isMcp ? mcpUrls(tool, input).map((url): Act => ({ action: 'fetch', url })) : []
  if ('acts' in reading) return [...reading.acts, ...pages, ...inferred]
  if ('patch' in reading) return [...readPatch(reading.patch), ...inferred]
  return [...readShell(reading.shell, { background: reading.background }).acts, ...inferred]
}

const inFolder = (act: Act, folder: string | undefined, { root, home }: ShortGround): Act =>
  folder === undefined || typeof act.place?.lexical !== 'string'
    ? act
    : { ...act, place: { ...act.place, lexical: anchored(act.place.lexical, anchored(folder, root, home), home) } }

const settleAct = (act: Act, ground: ShortGround): Act => {
  if (act.place) return { ...act, place: settle(act.place, ground) }
  return act.url ? { ...act, url: plainUrl(act.url) } : act
}

const settle = (place: Place, { root, home }: ShortGround): Place =>
  place.lexical === null ? place : { ...place, lexical: toAbsolute(place.lexical, root, home) }

const STATUSES: readonly Status[] = ['succeeded', 'failed', 'unknown']
const statusOf = (after: unknown): Status | undefined => STATUSES.find(one => one === after)

/** What came out of YAML or JSON is JSON; anything else has no business in an input. */
function inputOf(value: unknown): JsonObject {
  const text = JSON.stringify(value ?? {})
  const copy: Json = JSON.parse(text)
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : {}
}
