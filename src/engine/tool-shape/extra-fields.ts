import type { Json, JsonObject } from '../../lib/json.ts'
import { localPath } from '../../lib/local-path.ts'
import { canonicalTools } from '../model/canonical-tools.ts'
import { declaresEncoding } from './encoded-field.ts'
import { type FieldMeaning, fieldMeaningOf } from './field-meaning.ts'
import { isEditorCommand } from './tool-commands.ts'
import type { ShapeFileAccess } from './tool-files.ts'
import { scanToolInput } from './tool-input.ts'
import type { ToolShape } from './tool-shape.ts'

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
export function shapeOfExtraFields(tool: string, input: JsonObject): ToolShape | undefined {
  const name = tool.toLowerCase()
  const [action, field = ''] = canonicalTools.actions.get(name) ?? [undefined, 'command']
  const own = new Set([input[field], ...[input[field], input.patch].flat()])
  const isShell = canonicalTools.shells.has(name)
  // the input is for another agent
  if (action === 'spawn') return undefined
  const onlyRuns = action !== undefined && !TOUCHES.has(action)
  const rest = pick(input, (key, value) =>
    onlyRuns
      ? fieldMeaningOf(key) === 'command'
      : isMore(key, value, own, isShell) && !(isShell && OF_SHELLS.test(key)),
  )
  const isEncodedLine = isShell && declaresEncoding(input)
  if (Object.keys(rest).length === 0 && !isEncodedLine) return undefined
  const lines = linesOf(input, rest, isShell).filter(line => !own.has(line) && !isEditorCommand(line))
  const found = scanToolInput(rest)
  const patches = found.patches.filter(one => !own.has(one) && !found.contents.includes(one))
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
  if (own.has(value) || IDLE.has(field)) return false
  return field !== 'content' || isShell || (typeof value === 'object' && value !== null)
}

/** All fields of a shell call together make a line: `{ command: 'rm', args: ['-rf'] }`, `{ command, env, stdin }`. */
function linesOf(input: JsonObject, rest: JsonObject, isShell: boolean): readonly string[] {
  const line = typeof input.command === 'string' ? input.command : ''
  const { commands } = scanToolInput(isShell && line !== '' ? { ...rest, command: line } : rest)
  return [...new Set(commands.map(one => one.line))]
}

/** The folder in which a shell call asks to run. */
export const workingFolderOf = (input: JsonObject): string | undefined => foldersIn(input)[0]

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
  const isSaved = (field: readonly string[]): boolean =>
    field.some(word => /^(saved|destination|dest|dst|output|out|outfile)$/.test(word))
  return paths
    .filter(({ path }) => !own.has(path))
    .map(({ path, field }) => ({
      action:
        action === 'delete'
          ? 'delete'
          : action === 'write' || isSaved(field) || action === undefined
            ? 'write'
            : 'read',
      path: localPath(path),
    }))
}
