import type { Json, JsonObject } from '../../lib/json.ts'
import { canonicalTools } from '../model/canonical-tools.ts'
import { shapeOfExtraFields, workingFolderOf } from './extra-fields.ts'
import { splitIdentifier } from './tool-name-words.ts'
import { isEmptyShape, type ToolShape, toolShapeOf } from './tool-shape.ts'

/** Tools of known agents that nothing more can be said of: their inputs are words, or another tool's. */
const DESCRIBED: ReadonlySet<string> = new Set(
  'skill sendusermessage structuredoutput listmcpresourcestool croncreate crondelete cronlist schedulewakeup remotetrigger workflow pushnotification invalid enterworktree exitworktree subagenthandback endconversation'.split(
    ' ',
  ),
)

/**
 * Of a described tool nothing is inferred but the field that names what it is done to, where that is missing, and what stands in
 * fields that it does not take.
 */
export function inferToolShape(tool: string, input: JsonObject): ToolShape | undefined {
  const name = tool.toLowerCase()
  if (DESCRIBED.has(name) || Object.keys(input).length === 0) return undefined
  if (name.startsWith('mcp_')) return shapeOfMcp(tool, input)
  const missing = missingField(name, input)
  if (missing !== undefined) return withField(tool, missing, toolShapeOf(tool, input))
  const isShell = canonicalTools.shells.has(name)
  if (isShell || canonicalTools.actions.has(name) || name === 'applypatch')
    return shapeOfExtraFields(tool, input) ?? (isShell ? inFolder(tool, input) : undefined)
  const shape = toolShapeOf(tool, input)
  return isEmptyShape(shape) ? undefined : shape
}

/** The server may have a root of its own, and its own meaning for a URL: of those its acts tell already. */
function shapeOfMcp(tool: string, input: JsonObject): ToolShape | undefined {
  const shape = toolShapeOf(tool, input, splitIdentifier(tool))
  if (shape.lines.length === 0) return undefined
  const only = { files: [], urls: [], patches: [] }
  return { ...shape, ...only, tool, input, background: true, isPartial: false }
}

/** The canonical field of a described tool that its input lacks. A search without a folder is one of this folder. */
function missingField(name: string, input: JsonObject): string | undefined {
  if (canonicalTools.shells.has(name)) return name === 'monitor' || (input.command ?? '') !== '' ? undefined : 'command'
  if (name === 'applypatch') return isText(input.patch) ? undefined : 'patch'
  const [action, field] = canonicalTools.actions.get(name) ?? []
  if (field === undefined || !['read', 'write', 'delete', 'fetch'].includes(action ?? '')) return undefined
  return [input[field]].flat().some(isText) ? undefined : field
}

/** Agents that call their shell by a known name may tell it where to run. */
function inFolder(tool: string, input: JsonObject): ToolShape | undefined {
  const folder = workingFolderOf(input)
  return folder === undefined ? undefined : { ...NOTHING, tool, input, folder, isDescribed: true }
}

const NOTHING = { lines: [], patches: [], files: [], urls: [], unreadable: [], background: false, isPartial: false }

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''

function withField(tool: string, field: string, shape: ToolShape): ToolShape | undefined {
  const { lines, patches, files, urls, input } = shape
  const named = { command: lines, patch: patches, url: urls }[field] ?? files.map(file => file.path)
  const values = [...new Set(named)]
  // an edit that names no file may bring a patch that does
  if (values.length === 0) return isEmptyShape(shape) ? undefined : { ...shape, tool }
  // several lines are read one by one
  if (values.length > 1 && (field === 'command' || field === 'patch')) return { ...shape, tool }
  const value: Json = values.length === 1 ? (values[0] ?? '') : [...values]
  return { ...shape, tool, input: { ...input, [field]: value }, isDescribed: true }
}
