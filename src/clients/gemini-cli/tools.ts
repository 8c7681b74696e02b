import type { JsonObject } from '../../lib/json.ts'
import { createFieldTranslator, createToolTranslator, findUrls, objectField, stringField } from '../adapter/decode.ts'

/** Tool names of 0.61.0 (`search_file_content` is older). */
export const toolNames: Readonly<Record<string, string>> = {
  activate_skill: 'Skill',
  ask_user: 'AskUserQuestion',
  complete_task: 'CompleteTask',
  enter_plan_mode: 'EnterPlanMode',
  exit_plan_mode: 'ExitPlanMode',
  glob: 'Glob',
  google_web_search: 'WebSearch',
  grep_search: 'Grep',
  invoke_agent: 'Agent',
  list_directory: 'LS',
  list_mcp_resources: 'ListMcpResourcesTool',
  read_file: 'Read',
  read_many_files: 'ReadManyFiles',
  read_mcp_resource: 'ReadMcpResourceTool',
  replace: 'Edit',
  run_shell_command: 'Bash',
  search_file_content: 'Grep',
  tracker_add_dependency: 'TaskUpdate',
  tracker_create_task: 'TaskCreate',
  tracker_get_task: 'TaskGet',
  tracker_list_tasks: 'TaskList',
  tracker_update_task: 'TaskUpdate',
  tracker_visualize: 'TaskList',
  web_fetch: 'WebFetch',
  write_file: 'Write',
  write_todos: 'TodoWrite',
}

/** Tools of other agents that Gemini does not have. */
export const toolsWithoutEvents: readonly string[] = [
  ...['ApplyPatch', 'Delete', 'EnterWorktree', 'ExitWorktree', 'LSP', 'ListAgents'],
  ...['Monitor', 'MultiEdit', 'NotebookEdit', 'PowerShell', 'SendMessage', 'SendUserMessage'],
  ...['TaskOutput', 'TaskStop', 'ToolSearch'],
]

const translateTool = createToolTranslator(toolNames)

/** The payload names server and tool of an MCP call: `mcp_a_b_c` alone is ambiguous. */
export function canonicalTool(native: string, payload: JsonObject): string {
  const mcp = objectField(payload, 'mcp_context')
  const [server, tool] = [stringField(mcp, 'server_name'), stringField(mcp, 'tool_name')]
  if (server !== undefined && tool !== undefined) return `mcp__${server}__${tool}`
  const known = translateTool(native)
  // older versions use `server__tool`, without a prefix
  return known === native && /^(?!mcp_)[\w.-]+?__[\w.-]+$/.test(native) ? `mcp__${native}` : known
}

/** The client's field → the canonical one, by canonical tool. */
const translateFields = createFieldTranslator({
  Agent: { agent_name: 'subagent_type' },
  Bash: { is_background: 'run_in_background' },
  Glob: { dir_path: 'path' },
  Grep: { dir_path: 'path' },
  LS: { dir_path: 'path' },
  Skill: { name: 'skill' },
})

export const canonicalInput = (tool: string, input: JsonObject): JsonObject => ({
  ...translateFields(tool, input),
  ...(tool === 'WebFetch' && extractUrls(input)),
})

/** `web_fetch` extracts its URLs from the prompt. In direct mode there is a `url`, which is used as it is. */
function extractUrls(input: JsonObject): JsonObject {
  if (stringField(input, 'url') !== undefined) return {}
  const [only, ...more] = findUrls(stringField(input, 'prompt') ?? '')
  return only === undefined ? {} : { url: more.length === 0 ? only : [only, ...more] }
}
