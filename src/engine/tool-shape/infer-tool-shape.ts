import type { Json, JsonObject } from '../../lib/json.ts'
import { canonicalTools } from '../model/canonical-tools.ts'
import { shapeOfExtraFields, workingFolderOf } from './extra-fields.ts'
import { splitIdentifier } from './tool-name-words.ts'
import { isEmptyShape, type ToolShape, toolShapeOf } from './tool-shape.ts'

/** Tools of known agents about which nothing more can be inferred: their inputs are prose, or another tool's input. */
const DESCRIBED: ReadonlySet<string> = new Set(
  'skill sendusermessage structuredoutput listmcpresourcestool croncreate crondelete cronlist schedulewakeup remotetrigger workflow pushnotification invalid enterworktree exitworktree subagenthandback endconversation'.split(
    ' ',
  ),
)

/**
 * For a described tool, infers only a missing canonical field and what stands in fields that the tool does not take. For any other
 * tool, infers everything it does.
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

/** Only shell lines: the server may have its own root and its own meaning for a URL. Other code finds the files and pages. */
function shapeOfMcp(tool: string, input: JsonObject): ToolShape | undefined {
  const shape = toolShapeOf(tool, input, splitIdentifier(tool))
  if (shape.lines.length === 0) return undefined
  const only = { files: [], urls: [], patches: [] }
  return { ...shape, ...only, tool, input, background: true, isPartial: false }
}

/** The canonical field that a described tool's input lacks. A search without a folder searches the current folder. */
function missingField(name: string, input: JsonObject): string | undefined {
  if (canonicalTools.shells.has(name)) return name === 'monitor' || (input.command ?? '') !== '' ? undefined : 'command'
  if (name === 'applypatch') return isText(input.patch) ? undefined : 'patch'
  const [action, field] = canonicalTools.actions.get(name) ?? []
  if (field === undefined || !['read', 'write', 'delete', 'fetch'].includes(action ?? '')) return undefined
  return [input[field]].flat().some(isText) ? undefined : field
}

/** Agents that call their shell by a known name may also name the folder to run in. */
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
  // an edit that names no file may bring a patch that names one
  if (values.length === 0) return isEmptyShape(shape) ? undefined : { ...shape, tool }
  // several lines are parsed one by one
  if (values.length > 1 && (field === 'command' || field === 'patch')) return { ...shape, tool }
  const value: Json = values.length === 1 ? (values[0] ?? '') : [...values]
  return { ...shape, tool, input: { ...input, [field]: value }, isDescribed: true }
}
