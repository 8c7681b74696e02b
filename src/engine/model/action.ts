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
  /** `run`: variables set in front of the command or by it; null when the value is unknown */
  readonly assigns?: Readonly<Record<string, string | null>>
  /** `run`: the success of the whole line implies the success of this command */
  readonly implied?: boolean
  /** `run`: the line's status is this command's status, so its failure is implied too */
  readonly decides?: boolean
  /** `run`: the folder that the line changes to before this command, as written; null when it is unknown */
  readonly folder?: string | null
  /** `run`: that folder is unknown, or neither in the project nor the agent's own, so a success proves nothing here */
  readonly elsewhere?: boolean
  /** how the command that this action belongs to ended, by its own report; it overrides the status of the whole call */
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
  /** `run`: a program that Signalbox has a description of and that only reads with these options */
  readonly onlyReads?: boolean
  /** `run`: the line may change what this program does (a function, `make -f`), so its name exempts it from nothing */
  readonly altered?: boolean
  /** `read`, `write`, `delete`, `search` */
  readonly place?: PathRef
  /** `fetch`; null when it is unknown */
  readonly url?: string | null
  /** `spawn` */
  readonly agent?: string
  /** Nothing about this action can be known (an unreadable shell line): every key about the action is unknown. */
  readonly opaque?: boolean
  /** The source text that this action was parsed from, uncut: messages and records shorten it. */
  readonly via?: string
}

const OPAQUE: Action = { action: 'other', opaque: true }

/** A shell line or a patch still has to be parsed by `shell/`, which this folder does not import. */
export type ToolActions =
  | { readonly acts: readonly Action[] }
  | { readonly shell: string; readonly background: boolean }
  | { readonly patch: string }

/** What a call of this canonical tool does. A tool without a description is `other`, or `mcp` by its name. */
export function actionsOfTool(tool: string, input: JsonObject): ToolActions {
  const name = tool.toLowerCase()
  if (canonicalTools.shells.has(name)) return shellLine(name, input)
  if (name === 'applypatch') return typeof input.patch === 'string' ? { patch: input.patch } : { acts: [OPAQUE] }
  const [action, field] = canonicalTools.actions.get(name) ?? [name.startsWith('mcp_') ? 'mcp' : 'other']
  if (field === undefined) return { acts: [{ action }] }
  const objects = [input[field]].flat().map(value => (typeof value === 'string' && value !== '' ? value : null))
  return { acts: (objects.length > 0 ? objects : [null]).map(object => actOn(action, object, field === 'include')) }
}

/** PowerShell is not a POSIX shell, so its lines are opaque, not harmless. A Monitor without a command watches a socket. */
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
