import type { JsonObject } from '../../lib/json.ts'
import { createFieldTranslator, createToolTranslator, stringField } from '../adapter/decode.ts'

/** Tool names of 1.0.102 in its own payload style; the other style uses Claude Code's names for most of them. */
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
  list_powershell: 'TaskList',
  powershell: 'PowerShell',
  read_agent: 'TaskOutput',
  read_bash: 'TaskOutput',
  read_powershell: 'TaskOutput',
  rg: 'Grep',
  skill: 'Skill',
  stop_bash: 'TaskStop',
  stop_powershell: 'TaskStop',
  str_replace_editor: 'Edit',
  task: 'Agent',
  update_todo: 'TodoWrite',
  view: 'Read',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  write_agent: 'SendMessage',
}

/** Tools of other agents that Copilot does not have. */
export const toolsWithoutEvents: readonly string[] = [
  ...['CompleteTask', 'Delete', 'EnterPlanMode', 'EnterWorktree', 'ExitPlanMode', 'ExitWorktree'],
  ...['LS', 'LSP', 'ListMcpResourcesTool', 'Monitor', 'MultiEdit', 'NotebookEdit'],
  ...['ReadManyFiles', 'ReadMcpResourceTool', 'SendUserMessage', 'TaskCreate', 'TaskGet', 'TaskUpdate'],
  ...['ToolSearch'],
]

const translateTool = createToolTranslator(toolNames)

/** `apply_patch` is an `Edit` in the other style; `view` of the multi-command editor is a read. */
export function canonicalTool(native: string, input: JsonObject): string {
  const tool = translateTool(native)
  if (tool !== 'Edit') return tool
  if (patchIn(input)?.includes('*** Begin Patch')) return 'ApplyPatch'
  return stringField(input, 'command') === 'view' ? 'Read' : tool
}

/** In that style a patch cannot be distinguished from an edit with an unused patch argument: so its path counts as one more file. */
const patchIn = (input: JsonObject): string | undefined => {
  const patches = ['input', 'patch'].flatMap(key => stringField(input, key) ?? [])
  const path = stringField(input, 'path')
  if (patches.length === 0) return undefined
  return [...patches, ...(path === undefined ? [] : [`*** Update File: ${path}`])].join('\n')
}

/** The client's field → the canonical one, by canonical tool. */
const translateFields = createFieldTranslator({
  Agent: { agent_type: 'subagent_type' },
  Edit: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' },
  Read: { path: 'file_path' },
  SendMessage: { agent_id: 'to' },
  Write: { path: 'file_path', file_text: 'content' },
})

export function canonicalInput(tool: string, input: JsonObject): JsonObject {
  const patch = tool === 'ApplyPatch' ? patchIn(input) : undefined
  return {
    ...translateFields(tool, input),
    ...(patch !== undefined && { patch }),
    ...(isBackground(input) && { run_in_background: true }),
  }
}

/** `async` for a shell, `background` for an agent. */
export const isBackground = (input: JsonObject): boolean =>
  input.async === true || input.mode === 'async' || input.mode === 'background'
