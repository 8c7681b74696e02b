import type { JsonObject } from '../../lib/json.ts'
import type { Word } from '../match/command.ts'
import type { PathRef } from '../match/path-ref.ts'
import { canonicalTools } from './canonical-tools.ts'
import type { ActionKind } from './vocabulary.ts'

/** One thing a call does, with its own command, path, url or agent. */
export interface Action {
  readonly action: ActionKind
  /** `run`: the simple command, program first */
  readonly words?: readonly Word[]
  /** `run`: variables set in front of the command or by it; null when the value cannot be told */
  readonly assigns?: Readonly<Record<string, string | null>>
  /** `run`: the success of the whole line implies the success of this command */
  readonly implied?: boolean
  /** `run`: the line's status is this command's status, so its failure is implied too */
  readonly decides?: boolean
  /** `run`: the folder the line moves it to, as written; null when it cannot be told */
  readonly folder?: string | null
  /** `run`: that is neither in the project nor where the agent is, so its success proves nothing here */
  readonly elsewhere?: boolean
  /** how the command it is part of ended, by that one's own word: before the status of the whole call */
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
  /** `run`: a described program that, with these options, only reads */
  readonly onlyReads?: boolean
  /** `run`: the line changes what programs of this name do, so nothing exempts it by its name */
  readonly altered?: boolean
  /** `read`, `write`, `delete`, `search` */
  readonly place?: PathRef
  /** `fetch`; null when it cannot be told */
  readonly url?: string | null
  /** `spawn` */
  readonly agent?: string
  /** Nothing about this act can be told (an unreadable shell line): every key but event, caller and tool is unknown. */
  readonly opaque?: boolean
  /** The source text this act was read from, whole: messages and records cut it. */
  readonly via?: string
}

const OPAQUE: Action = { action: 'other', opaque: true }

/** A shell line or a patch still has to be read: by `shell/`, which core does not know. */
export type ToolActions =
  | { readonly acts: readonly Action[] }
  | { readonly shell: string; readonly background: boolean }
  | { readonly patch: string }

/** What a call of this canonical tool does. A tool nobody has described is `other`, or `mcp` by its name. */
export function actionsOfTool(tool: string, input: JsonObject): ToolActions {
  const name = tool.toLowerCase()
  if (canonicalTools.shells.has(name)) return shellLine(name, input)
  if (name === 'applypatch') return typeof input.patch === 'string' ? { patch: input.patch } : { acts: [OPAQUE] }
  const [action, field] = canonicalTools.actions.get(name) ?? [name.startsWith('mcp_') ? 'mcp' : 'other']
  if (field === undefined) return { acts: [{ action }] }
  const objects = [input[field]].flat().map(value => (typeof value === 'string' && value !== '' ? value : null))
  return { acts: (objects.length > 0 ? objects : [null]).map(object => actOn(action, object, field === 'include')) }
}

/** PowerShell is no POSIX shell, and what cannot be read is not harmless. A Monitor without a command watches a socket. */
function shellLine(name: string, { command, run_in_background }: JsonObject): ToolActions {
  if (typeof command !== 'string') return { acts: [name === 'monitor' ? { action: 'other' } : OPAQUE] }
  if (name === 'powershell') return { acts: [{ ...OPAQUE, via: command }] }
  return { shell: command, background: run_in_background === true || name === 'monitor' }
}

function actOn(action: ActionKind, object: string | null, glob: boolean): Action {
  if (action === 'fetch') return { action, url: object }
  if (action === 'spawn') return object === null ? { action } : { action, agent: object }
  return { action, place: { lexical: action === 'search' ? (object ?? '.') : object, ...(glob && { glob }) } }
}
