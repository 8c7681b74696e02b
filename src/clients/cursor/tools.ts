import type { JsonObject } from '../../lib/json.ts'
import { createFieldTranslator, createToolTranslator, stringField } from '../adapter/decode.ts'

/** The model determines whether the tool is `Edit` or `StrReplace`. */
export const toolNames: Readonly<Record<string, string>> = { Shell: 'Bash', StrReplace: 'Edit', Task: 'Agent' }

/** Tools of other agents that neither its documentation nor its SDK names. */
export const toolsWithoutEvents: readonly string[] = [
  ...['CompleteTask', 'EnterPlanMode', 'EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'ListAgents', 'Monitor'],
  ...['MultiEdit', 'NotebookEdit', 'PowerShell', 'ReadManyFiles', 'SendMessage', 'SendUserMessage', 'TaskCreate'],
  ...['TaskGet', 'TaskList', 'TaskOutput', 'TaskStop', 'TaskUpdate', 'ToolSearch'],
]

const translateTool = createToolTranslator(toolNames)

/** `MCP:tool` does not name the server. */
export const canonicalTool = (native: string): string =>
  native.startsWith('MCP:') ? `mcp__${native.slice('MCP:'.length)}` : translateTool(native)

const FILE_FIELDS = { path: 'file_path', target_file: 'file_path' }
const translateFields = createFieldTranslator({
  Read: FILE_FIELDS,
  Write: FILE_FIELDS,
  Edit: FILE_FIELDS,
  Delete: FILE_FIELDS,
  LS: { target_directory: 'path' },
})

/** Inputs are not documented: if the canonical field is missing, field names seen in practice replace it. */
export const canonicalInput = (tool: string, input: JsonObject): JsonObject =>
  stringField(input, 'file_path') === undefined ? translateFields(tool, input) : input
