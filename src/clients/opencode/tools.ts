import type { JsonObject } from '../../pattern/index.ts'
import { canonicalFields, nameIn } from '../names.ts'
import { object, text } from '../wire.ts'

/** Names of 1.18.33; `list`, `multiedit`, `patch` and `todoread` are older ones. The shell is `bash`, whichever it is. */
export const toolNames: Readonly<Record<string, string>> = {
  apply_patch: 'ApplyPatch',
  bash: 'Bash',
  codesearch: 'WebSearch',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  lsp: 'LSP',
  multiedit: 'MultiEdit',
  patch: 'ApplyPatch',
  plan_enter: 'EnterPlanMode',
  plan_exit: 'ExitPlanMode',
  question: 'AskUserQuestion',
  read: 'Read',
  skill: 'Skill',
  task: 'Agent',
  todoread: 'TaskList',
  todowrite: 'TodoWrite',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  write: 'Write',
}

/** Tools of other agents that it does not have. */
export const untold: readonly string[] = [
  ...['CompleteTask', 'Delete', 'EnterWorktree', 'ExitWorktree', 'ListAgents', 'ListMcpResourcesTool'],
  ...['Monitor', 'NotebookEdit', 'PowerShell', 'ReadManyFiles', 'ReadMcpResourceTool', 'SendMessage'],
  ...['SendUserMessage', 'TaskCreate', 'TaskGet', 'TaskOutput', 'TaskStop', 'TaskUpdate'],
  ...['ToolSearch'],
]

const translated = nameIn(toolNames)

/** An MCP tool is `server_tool`; only the plugin knows which servers there are. One that is called as a tool of the client is that. */
export function canonicalTool(native: string, payload: JsonObject): string {
  if (Object.hasOwn(toolNames, native)) return translated(native)
  const mcp = object(payload, 'mcp')
  const [server, tool] = [text(mcp, 'server'), text(mcp, 'tool')]
  return server !== undefined && tool !== undefined ? `mcp__${server}__${tool}` : native
}

const FILE = { filePath: 'file_path' }
const EDIT = { ...FILE, oldString: 'old_string', newString: 'new_string', replaceAll: 'replace_all' }

/** The client's field → the canonical one, by canonical tool. */
export const canonicalInput = canonicalFields({
  Agent: { background: 'run_in_background' },
  ApplyPatch: { patchText: 'patch' },
  Edit: EDIT,
  MultiEdit: EDIT,
  Read: FILE,
  Skill: { name: 'skill' },
  Write: FILE,
})

/** Back into the client's own: what a hook of a person rewrote may be in either. */
const OWN: Readonly<Record<string, string>> = {
  file_path: 'filePath',
  old_string: 'oldString',
  new_string: 'newString',
  replace_all: 'replaceAll',
  patch: 'patchText',
}

export const ownInput = (input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(OWN, key) ? OWN[key] : key, value]))
