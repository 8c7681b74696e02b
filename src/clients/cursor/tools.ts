import type { JsonObject } from '../../lib/json.ts'
import { stringField } from '../adapter/decode/fields.ts'
import { createFieldTranslator, createToolTranslator } from '../adapter/decode/tool-names.ts'

/** `Edit` or `StrReplace` depends on the model. */
export const toolNames: Readonly<Record<string, string>> = { Shell: 'Bash', StrReplace: 'Edit', Task: 'Agent' }

const translateTool = createToolTranslator(toolNames)

/** `MCP:tool` does not say whose tool it is. */
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

/** The inputs are not documented: where the canonical field is missing, the names seen in the wild stand in for it. */
export const canonicalInput = (tool: string, input: JsonObject): JsonObject =>
  stringField(input, 'file_path') === undefined ? translateFields(tool, input) : input
