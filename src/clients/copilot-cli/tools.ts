import type { Json, JsonObject } from '../../pattern/index.ts'
import { text } from '../wire.ts'

/** Names of 1.0.102 in its own style; the other style has Claude Code's for most of them. */
export const toolNames: Readonly<Record<string, string>> = {
  apply_patch: 'ApplyPatch',
  ask_user: 'AskUserQuestion',
  bash: 'Bash',
  create: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  list_agents: 'ListAgents',
  list_bash: 'TaskList',
  powershell: 'PowerShell',
  read_agent: 'TaskOutput',
  read_bash: 'TaskOutput',
  rg: 'Grep',
  skill: 'Skill',
  stop_bash: 'TaskStop',
  str_replace_editor: 'Edit',
  task: 'Agent',
  update_todo: 'TodoWrite',
  view: 'Read',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  write_agent: 'SendMessage',
}

/** `apply_patch` is an `Edit` in the other style; an editor of many commands reads with one of them. */
export function canonicalTool(native: string, input: JsonObject): string {
  const tool = Object.hasOwn(toolNames, native) ? (toolNames[native] ?? native) : native
  if (tool !== 'Edit') return tool
  if (patchIn(input) !== undefined && text(input, 'path') === undefined) return 'ApplyPatch'
  return text(input, 'command') === 'view' ? 'Read' : tool
}

const patchIn = (input: JsonObject): string | undefined => text(input, 'input') ?? text(input, 'patch')

/** The client's field → the canonical one, by canonical tool. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Agent: { agent_type: 'subagent_type' },
  Edit: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' },
  Read: { path: 'file_path' },
  SendMessage: { agent_id: 'to' },
  Write: { path: 'file_path', file_text: 'content' },
}

/** The input under canonical names too; the client's own fields stay, for `input:` conditions. */
export function canonicalInput(tool: string, input: JsonObject): JsonObject {
  const added: [string, Json][] = Object.entries(FIELDS[tool] ?? {}).flatMap(([own, canonical]) => {
    const value = input[own]
    return value === undefined ? [] : [[canonical, value]]
  })
  const patch = tool === 'ApplyPatch' ? patchIn(input) : undefined
  return {
    ...input,
    ...Object.fromEntries(added),
    ...(patch !== undefined && { patch }),
    ...(isBackground(input) && { run_in_background: true }),
  }
}

/** Of a shell `async`, of an agent `background`. */
export const isBackground = (input: JsonObject): boolean =>
  input.async === true || input.mode === 'async' || input.mode === 'background'
