import { type Action, isObject, type Json, type JsonObject } from '../pattern/index.ts'
import type { Act } from './act.ts'

/** Canonical tools by lower-case name: the action, and the field of the input that names what it is done to. */
const TOOLS: Readonly<Record<string, readonly [Action, field?: string]>> = {
  read: ['read', 'file_path'],
  readmcpresourcetool: ['read', 'uri'],
  lsp: ['read'],
  write: ['write', 'file_path'],
  edit: ['write', 'file_path'],
  multiedit: ['write', 'file_path'],
  notebookedit: ['write', 'notebook_path'],
  delete: ['delete', 'file_path'],
  glob: ['search', 'path'],
  grep: ['search', 'path'],
  ls: ['search', 'path'],
  websearch: ['search'],
  webfetch: ['fetch', 'url'],
  agent: ['spawn', 'subagent_type'],
  sendmessage: ['spawn', 'to'],
  askuserquestion: ['ask'],
}

const COORDINATE = new Set(
  'todowrite taskcreate taskget tasklist taskupdate taskoutput taskstop listagents enterplanmode exitplanmode toolsearch'.split(
    ' ',
  ),
)

const SHELLS = new Set(['bash', 'powershell', 'monitor'])
const OPAQUE: Act = { action: 'other', opaque: true }

/** A shell line or a patch still has to be read: by `shell/`, which core does not know. */
export type ToolReading =
  | { readonly acts: readonly Act[] }
  | { readonly shell: string; readonly background: boolean }
  | { readonly patch: string }

/** What a call of this canonical tool does. A tool nobody has described is `other`, or `mcp` by its name. */
export function actsOfTool(tool: string, input: JsonObject): ToolReading {
  const name = tool.toLowerCase()
  if (SHELLS.has(name)) return shellLine(name, input)
  if (name === 'applypatch') return typeof input.patch === 'string' ? { patch: input.patch } : { acts: [OPAQUE] }
  if (COORDINATE.has(name)) return { acts: [{ action: 'coordinate' }] }
  const [action, field] = (Object.hasOwn(TOOLS, name) && TOOLS[name]) || [name.startsWith('mcp_') ? 'mcp' : 'other']
  if (field === undefined) return { acts: [{ action }] }
  const value = input[field]
  return { acts: [actOn(action, typeof value === 'string' && value !== '' ? value : null)] }
}

/** PowerShell is no POSIX shell, and what cannot be read is not harmless. A Monitor without a command watches a socket. */
function shellLine(name: string, { command, run_in_background }: JsonObject): ToolReading {
  if (typeof command !== 'string') return { acts: [name === 'monitor' ? { action: 'other' } : OPAQUE] }
  if (name === 'powershell') return { acts: [{ ...OPAQUE, via: command.slice(0, 200) }] }
  return { shell: command, background: run_in_background === true || name === 'monitor' }
}

function actOn(action: Action, object: string | null): Act {
  if (action === 'fetch') return { action, url: object }
  if (action === 'spawn') return object === null ? { action } : { action, agent: object }
  return { action, place: { lexical: action === 'search' ? (object ?? '.') : object } }
}

/** A field of the input as text, `a.b` for one inside another. */
export function fieldOf(input: JsonObject, path: string): string | undefined {
  const step = (value: Json | undefined, name: string) => (isObject(value) ? value[name] : undefined)
  const value = input[path] ?? path.split('.').reduce<Json | undefined>(step, input)
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}
