import type { JsonObject } from '../pattern/index.ts'
import type { Told } from './backend.ts'

const PATHS = ['file_path', 'path', 'notebook_path', 'absolute_path', 'dir_path']
const WORDS = ['pattern', 'query', 'url', 'description', 'prompt', 'name', 'skill', 'agent_name', 'subagent_type']
const LONGEST = 100
const WRITES = /write|edit|replace|patch|create/i

/** A call of a tool in a few words: `$ npm test`, `Write src/a.ts`, `Grep TODO`. */
export function stepOf(tool: string, input: JsonObject): Told {
  const text = (keys: readonly string[]) => keys.map(key => input[key]).find(value => typeof value === 'string')
  const command = text(['command', 'cmd'])
  if (typeof command === 'string') return { kind: 'step', text: `$ ${short(command)}` }
  const file = text(PATHS)
  const rest = file ?? text(WORDS)
  const step = { kind: 'step', text: typeof rest === 'string' ? `${tool} ${short(rest)}` : tool } as const
  return typeof file === 'string' && WRITES.test(tool) ? { ...step, file } : step
}

/** On one line. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line
}
