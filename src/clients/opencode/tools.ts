import type { JsonObject } from '../../lib/json.ts'
import { createFieldTranslator, createToolTranslator, objectField, stringField } from '../adapter/decode.ts'

/** Tool names of 1.18.33; `list`, `multiedit`, `patch` and `todoread` are older. The shell tool is `bash` for every shell. */
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

/** Tools of other agents that opencode does not have. */
export const toolsWithoutEvents: readonly string[] = [
  ...['CompleteTask', 'Delete', 'EnterWorktree', 'ExitWorktree', 'ListAgents', 'ListMcpResourcesTool'],
  ...['Monitor', 'NotebookEdit', 'PowerShell', 'ReadManyFiles', 'ReadMcpResourceTool', 'SendMessage'],
  ...['SendUserMessage', 'TaskCreate', 'TaskGet', 'TaskOutput', 'TaskStop', 'TaskUpdate'],
  ...['ToolSearch'],
]

const translateTool = createToolTranslator(toolNames)

/** An MCP tool is `server_tool`; only the plugin knows which servers exist. A built-in tool's name always means the built-in tool. */
export function canonicalTool(native: string, payload: JsonObject): string {
  if (Object.hasOwn(toolNames, native)) return translateTool(native)
  const mcp = objectField(payload, 'mcp')
  const [server, tool] = [stringField(mcp, 'server'), stringField(mcp, 'tool')]
  return server !== undefined && tool !== undefined ? `mcp__${server}__${tool}` : native
}

const FILE_FIELDS = { filePath: 'file_path' }
const EDIT_FIELDS = { ...FILE_FIELDS, oldString: 'old_string', newString: 'new_string', replaceAll: 'replace_all' }

/** The client's field → the canonical one, by canonical tool. */
export const canonicalInput = createFieldTranslator({
  Agent: { background: 'run_in_background' },
  ApplyPatch: { patchText: 'patch' },
  Edit: EDIT_FIELDS,
  MultiEdit: EDIT_FIELDS,
  Read: FILE_FIELDS,
  Skill: { name: 'skill' },
  Write: FILE_FIELDS,
})

/** Canonical field → the client's own: a user's hook may have rewritten either. */
const NATIVE_FIELD_NAMES: Readonly<Record<string, string>> = {
  file_path: 'filePath',
  old_string: 'oldString',
  new_string: 'newString',
  replace_all: 'replaceAll',
  patch: 'patchText',
}

export const toNativeInput = (input: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      Object.hasOwn(NATIVE_FIELD_NAMES, key) ? NATIVE_FIELD_NAMES[key] : key,
      value,
    ]),
  )
