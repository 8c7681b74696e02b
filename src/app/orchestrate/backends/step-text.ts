import type { JsonObject } from '../../../lib/json.ts'
import type { BackendEvent } from './backend.ts'

const PATH_FIELDS = ['file_path', 'path', 'notebook_path', 'absolute_path', 'dir_path']
const TEXT_FIELDS = ['pattern', 'query', 'url', 'description', 'prompt', 'name', 'skill', 'agent_name', 'subagent_type']
const MAX_LENGTH = 100
const WRITE_TOOL = /write|edit|replace|patch|create/i

/** A tool call in a few words: `$ npm test`, `Write src/a.ts`, `Grep TODO`. */
export function toStepEvent(tool: string, input: JsonObject): BackendEvent {
  const text = (keys: readonly string[]) => keys.map(key => input[key]).find(value => typeof value === 'string')
  const command = text(['command', 'cmd'])
  if (typeof command === 'string') return { kind: 'step', text: `$ ${shortenLine(command)}` }
  const file = text(PATH_FIELDS)
  const rest = file ?? text(TEXT_FIELDS)
  const step = { kind: 'step', text: typeof rest === 'string' ? `${tool} ${shortenLine(rest)}` : tool } as const
  return typeof file === 'string' && WRITE_TOOL.test(tool) ? { ...step, file } : step
}

/** Puts the text on one line and limits its length. */
export function shortenLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
}
