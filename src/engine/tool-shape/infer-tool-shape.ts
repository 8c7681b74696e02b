import type { Json, JsonObject } from '../../lib/json.ts'
import { toPosixPath } from '../../lib/posix-path.ts'
import { canonicalTools } from '../model/canonical-tools.ts'
import {
  declaresEncoding,
  type FieldMeaning,
  fieldMeaningOf,
  namesDeletedThings,
  splitIdentifier,
} from './field-meaning.ts'
import { looksLikeShell } from './looks-like-shell.ts'
import { isEditorCommand } from './tool-commands.ts'
import { type ShapeFileAccess, SURELY_WRITTEN } from './tool-files.ts'
import { scanToolInput } from './tool-input.ts'
import { isEmptyShape, type ToolShape, toolShapeOf } from './tool-shape.ts'

/** Tools of known agents about which nothing more can be inferred: their inputs are prose, or another tool's input. */
const DESCRIBED: ReadonlySet<string> = new Set(
  'skill sendusermessage structuredoutput listmcpresourcestool croncreate crondelete cronlist schedulewakeup remotetrigger workflow pushnotification invalid enterworktree exitworktree subagenthandback endconversation github_repo userinput todo__write todo__todo_write'.split(
    ' ',
  ),
)

/**
 * For a described tool, infers only a missing canonical field and what stands in fields that the tool does not take. For any other
 * tool, infers everything it does.
 */
export function inferToolShape(tool: string, input: JsonObject): ToolShape | undefined {
  const name = tool.toLowerCase()
  if (DESCRIBED.has(name)) return shapeOfShellLines(tool, input)
  if (name.startsWith('mcp_')) return shapeOfMcp(tool, input)
  if (Object.keys(input).length === 0) return shapeWithoutInput(tool)
  const missing = missingField(name, input)
  if (missing !== undefined) return withField(tool, missing, toolShapeOf(tool, input))
  const isShell = canonicalTools.shells.has(name)
  if (isDescribed(name)) return shapeOfExtraFields(tool, input) ?? (isShell ? inFolder(tool, input) : undefined)
  const shape = toolShapeOf(tool, input)
  return isEmptyShape(shape) ? undefined : shape
}

const isDescribed = (name: string): boolean =>
  canonicalTools.shells.has(name) || canonicalTools.actions.has(name) || name === 'applypatch'

/** A tool that is given nothing may change something all the same: `git_push {}`. */
function shapeWithoutInput(tool: string): ToolShape | undefined {
  const name = tool.toLowerCase()
  const shape = isDescribed(name) ? undefined : toolShapeOf(tool, {})
  return shape && !isEmptyShape(shape) ? shape : undefined
}

/** A tool that runs nothing, with a field for a command all the same. `Skill { command: 'review' }` names a skill. */
function shapeOfShellLines(tool: string, input: JsonObject): ToolShape | undefined {
  const rest = pick(
    input,
    (key, value) => fieldMeaningOf(key) === 'command' && looksLikeShell([value].flat().join(' ')),
  )
  const lines = scanToolInput(rest).commands.map(command => command.line)
  return lines.length === 0 ? undefined : { ...NOTHING, lines, tool, input, isPartial: true, isExtra: true }
}

/** Only shell lines and code: the server may have its own root and its own meaning for a URL. Other code finds the files and pages. */
function shapeOfMcp(tool: string, input: JsonObject): ToolShape | undefined {
  const shape = toolShapeOf(tool, input, splitIdentifier(tool))
  if (shape.lines.length === 0 && shape.unreadable.length === 0) return undefined
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

/** Fields that hold only words, numbers, or text for the file that the call names. */
const IDLE: ReadonlySet<FieldMeaning> = new Set<FieldMeaning>([
  'prose',
  'id',
  'name',
  'verb',
  'language',
  'background',
  'text',
])

/** Fields of shell tools about permission, sandbox and terminal, such as `justification`. They name nothing else that runs. */
const OF_SHELLS = /^(justification|prefix_?rule|sandbox\w*|login|tty|dangerously\w+)$/i

/** What a call of a described tool does in addition, by fields that the tool does not take: another command, path, page or patch. */
function shapeOfExtraFields(tool: string, input: JsonObject): ToolShape | undefined {
  const name = tool.toLowerCase()
  const [action, field = ''] = canonicalTools.actions.get(name) ?? [undefined, 'command']
  const own = new Set([input[field], ...[input[field], input.patch].flat()])
  const isShell = canonicalTools.shells.has(name)
  // the input is for another agent
  if (action === 'spawn') return shapeOfShellLines(tool, input)
  const onlyRuns = action !== undefined && !TOUCHES.has(action)
  const rest = pick(input, (key, value) =>
    onlyRuns
      ? fieldMeaningOf(key) === 'command'
      : isMore(key, value, own, isShell) && !(isShell && OF_SHELLS.test(key)),
  )
  const isEncodedLine = isShell && declaresEncoding(input)
  if (Object.keys(rest).length === 0 && !isEncodedLine) return undefined
  // all fields of a shell call together make a line: `{ command: 'rm', args: ['-rf'] }`, `{ command, env, stdin }`
  const line = isShell && typeof input.command === 'string' ? input.command : ''
  const found = scanToolInput(line === '' ? rest : { ...rest, command: line })
  const lines = [...new Set(found.commands.map(command => command.line))].filter(
    text => !own.has(text) && !isEditorCommand(text),
  )
  const patches = found.patches.filter(patch => !own.has(patch) && !found.contents.includes(patch))
  const files = isShell && found.contents.length === 0 ? [] : filesOf(found.paths, own, action)
  const urls = found.urls.filter(url => !own.has(url))
  // with two folders given, it is unknown which one it runs in
  const isTorn = isShell && foldersIn(input).length > 1
  const unreadable = [...found.unreadable, ...(isTorn || isEncodedLine ? [String(input.command)] : [])]
  const shape = { lines, patches, files, urls, unreadable, background: found.background }
  if ([lines, patches, files, urls, unreadable].every(list => list.length === 0)) return undefined
  const folder = isShell ? workingFolderOf(input) : undefined
  return { ...shape, tool, input, ...(folder !== undefined && { folder }), isPartial: true, isExtra: true }
}

const TOUCHES: ReadonlySet<string> = new Set(['read', 'write', 'delete', 'search', 'fetch'])

const pick = (input: JsonObject, wanted: (key: string, value: Json) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([key, value]) => wanted(key, value)))

/** The same value under another name adds nothing. Content is for the named file, unless it is an object: that may name others. */
function isMore(key: string, value: Json, own: ReadonlySet<Json | undefined>, isShell: boolean): boolean {
  const field = fieldMeaningOf(key)
  // `{ command: 'view', view_range }`: what an editor is to do, not a program
  if (own.has(value) || IDLE.has(field) || (value === 'view' && !isShell)) return false
  return field !== 'content' || isShell || (typeof value === 'object' && value !== null)
}

/** The folder in which a shell call asks to run. */
const workingFolderOf = (input: JsonObject): string | undefined => foldersIn(input)[0]

const foldersIn = (input: JsonObject): readonly string[] => [
  ...new Set(
    Object.entries(input).flatMap(([key, value]) =>
      typeof value === 'string' && value !== '' && (fieldMeaningOf(key) === 'folder' || key.toLowerCase() === 'path')
        ? [value]
        : [],
    ),
  ),
]

function filesOf(
  paths: readonly { readonly path: string; readonly field: readonly string[] }[],
  own: ReadonlySet<Json | undefined>,
  action: string | undefined,
): readonly ShapeFileAccess[] {
  const isSaved = (field: readonly string[]): boolean => field.some(word => SURELY_WRITTEN.test(word))
  return paths
    .filter(({ path }) => !own.has(path))
    .map(({ path, field }) => ({
      action:
        action === 'delete' || namesDeletedThings(field)
          ? 'delete'
          : action === 'write' || isSaved(field) || action === undefined
            ? 'write'
            : 'read',
      path: toPosixPath(path),
    }))
}
