import type { JsonObject } from '../../lib/json.ts'
import { createFieldTranslator, createToolTranslator, stringField } from '../adapter/decode.ts'

/** Tool names of 0.24.4; `replace`, `search_file_content` and `task` are older. MCP tools are already `mcp__server__tool`. */
export const toolNames: Readonly<Record<string, string>> = {
  agent: 'Agent',
  ask_user_question: 'AskUserQuestion',
  edit: 'Edit',
  enter_plan_mode: 'EnterPlanMode',
  enter_worktree: 'EnterWorktree',
  exit_plan_mode: 'ExitPlanMode',
  exit_worktree: 'ExitWorktree',
  glob: 'Glob',
  grep_search: 'Grep',
  list_agents: 'ListAgents',
  list_directory: 'LS',
  lsp: 'LSP',
  monitor: 'Monitor',
  notebook_edit: 'NotebookEdit',
  read_file: 'Read',
  read_mcp_resource: 'ReadMcpResourceTool',
  replace: 'Edit',
  run_shell_command: 'Bash',
  search_file_content: 'Grep',
  send_message: 'SendMessage',
  skill: 'Skill',
  task: 'Agent',
  task_create: 'TaskCreate',
  task_list: 'TaskList',
  task_stop: 'TaskStop',
  task_update: 'TaskUpdate',
  todo_write: 'TodoWrite',
  tool_search: 'ToolSearch',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  write_file: 'Write',
}

/** Tools of other agents that Qwen does not have. */
export const toolsWithoutEvents: readonly string[] = [
  ...['ApplyPatch', 'CompleteTask', 'Delete', 'ListMcpResourcesTool', 'MultiEdit', 'PowerShell'],
  ...['ReadManyFiles', 'SendUserMessage', 'TaskGet', 'TaskOutput'],
]

export const canonicalTool = createToolTranslator(toolNames)

/** The client's field → the canonical one, by canonical tool. */
const translateFields = createFieldTranslator({
  Bash: { is_background: 'run_in_background' },
  SendMessage: { task_id: 'to' },
})

/** A spawn without an agent name starts `general-purpose`. */
export const canonicalInput = (tool: string, input: JsonObject): JsonObject =>
  tool === 'Agent' && stringField(input, 'subagent_type') === undefined
    ? { ...input, subagent_type: 'general-purpose' }
    : translateFields(tool, input)
