import type { JsonObject } from '../../lib/json.ts'
import { createToolTranslator, stringField } from '../adapter/decode.ts'

/** Tools for subagents. All but `spawn_agent` come with the prefix `multi_agent_v1` (0.166.0). */
const AGENT_TOOLS: Readonly<Record<string, string>> = {
  close_agent: 'TaskStop',
  list_agents: 'ListAgents',
  resume_agent: 'SendMessage',
  send_input: 'SendMessage',
  send_message: 'SendMessage',
  spawn_agent: 'Agent',
  wait_agent: 'TaskOutput',
}

const AGENT_TOOL_PREFIX = 'multi_agent_v1'

/** Hooks see `Bash` for every shell tool. */
export const toolNames: Readonly<Record<string, string>> = {
  ...AGENT_TOOLS,
  ...Object.fromEntries(
    Object.entries(AGENT_TOOLS).map(([own, canonical]) => [`${AGENT_TOOL_PREFIX}${own}`, canonical]),
  ),
  apply_patch: 'ApplyPatch',
  exec_command: 'Bash',
  list_mcp_resource_templates: 'ListMcpResourcesTool',
  list_mcp_resources: 'ListMcpResourcesTool',
  read_mcp_resource: 'ReadMcpResourceTool',
  request_user_input: 'AskUserQuestion',
  update_plan: 'TodoWrite',
  view_image: 'Read',
  web_search: 'WebSearch',
}

/** A web search raises no event; Codex lacks the other tools: it reads files by commands and changes them by patches. */
export const unreportedTools: readonly string[] = [
  ...['WebSearch', 'WebFetch', 'Read', 'ReadManyFiles', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Delete'],
  ...['Glob', 'Grep', 'LS', 'LSP', 'Skill', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree'],
  ...['Monitor', 'PowerShell', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'ToolSearch', 'CompleteTask'],
  'SendUserMessage',
]

export const canonicalTool = createToolTranslator(toolNames)

/** Adds canonical field names to an input; the client's own fields stay, for `input:` conditions. */
export function canonicalInput(tool: string, input: JsonObject): JsonObject {
  const one = (...keys: readonly string[]) =>
    keys.map(key => stringField(input, key)).find(value => value !== undefined)
  const as = (name: string, value: string | undefined): JsonObject => ({
    ...input,
    ...(value !== undefined && { [name]: value }),
  })
  // the whole patch is in `command`
  if (tool === 'ApplyPatch') return as('patch', one('command', 'input'))
  // an agent without a role runs as `default`, and its own events say so
  if (tool === 'Agent') return { prompt: one('message') ?? '', ...as('subagent_type', one('agent_type') ?? 'default') }
  if (tool === 'SendMessage') return as('to', one('target', 'id'))
  return tool === 'Read' ? as('file_path', one('path')) : input
}
