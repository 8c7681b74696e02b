import type { JsonObject } from '../../pattern/index.ts'
import { canonicalFields, nameIn } from '../names.ts'
import { text } from '../wire.ts'

/** `Edit` or `StrReplace` depends on the model. */
export const toolNames: Readonly<Record<string, string>> = { Shell: 'Bash', StrReplace: 'Edit', Task: 'Agent' }

const translated = nameIn(toolNames)

/** `MCP:tool` does not say whose tool it is. */
export const canonicalTool = (native: string): string =>
  native.startsWith('MCP:') ? `mcp__${native.slice('MCP:'.length)}` : translated(native)

const FILE = { path: 'file_path', target_file: 'file_path' }
const named = canonicalFields({ Read: FILE, Write: FILE, Edit: FILE, Delete: FILE, LS: { target_directory: 'path' } })

/** The inputs are not documented: where the canonical field is missing, the names seen in the wild stand in for it. */
export const canonicalInput = (tool: string, input: JsonObject): JsonObject =>
  text(input, 'file_path') === undefined ? named(tool, input) : input
