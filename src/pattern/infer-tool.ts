import { canonicalTools } from './canonical-tools.ts'
import type { Json, JsonObject } from './json.ts'
import { type Findings, type FoundPath, quoted, searchInput } from './tool-input.ts'
import {
  changes,
  deletes,
  fetches,
  isShellLike,
  moves,
  onlyReads,
  sendsToProcess,
  toolWords,
  wordsOf,
  writes,
} from './tool-words.ts'
import type { Action } from './vocabulary.ts'

/** What a call looks like that is made with a tool nobody has described: by the shape of its input, and the words of its name. */
export interface ToolShape {
  /** the canonical tool it is like; its own name where it is like none, or does several things */
  readonly tool: string
  /** its own fields, and the canonical ones beside them */
  readonly input: JsonObject
  readonly folder?: string
  /** lines of shell */
  readonly lines: readonly string[]
  /** nobody sees how they end */
  readonly background: boolean
  readonly patches: readonly string[]
  readonly files: readonly ShapeFile[]
  readonly urls: readonly string[]
  /** code in other languages, text for a running process, what is too deep */
  readonly unreadable: readonly string[]
  /** it may do more than that: what exempts one of these does not exempt the call */
  readonly isPartial: boolean
  /** a described tool: what it does follows from its name and this input */
  readonly isDescribed?: true
}

export interface ShapeFile {
  readonly action: Extract<Action, 'read' | 'write' | 'delete'>
  readonly path: string
}

/** Tools of known agents that nothing more can be said of: their inputs are words, or another tool's. */
const DESCRIBED: ReadonlySet<string> = new Set(
  'skill sendusermessage structuredoutput listmcpresourcestool croncreate crondelete cronlist schedulewakeup remotetrigger workflow pushnotification enterworktree exitworktree subagenthandback endconversation'.split(
    ' ',
  ),
)

/** Of a described tool nothing is inferred but the field that names what it is done to, where that is missing. */
export function inferTool(tool: string, input: JsonObject): ToolShape | undefined {
  const name = tool.toLowerCase()
  if (DESCRIBED.has(name) || Object.keys(input).length === 0) return undefined
  if (name.startsWith('mcp_')) return shapeOfMcp(tool, input)
  const missing = missingField(name, input)
  if (missing !== undefined) return withField(tool, missing, shapeOf(tool, input))
  if (canonicalTools.shells.has(name)) return inFolder(tool, input)
  if (canonicalTools.actions.has(name) || name === 'applypatch') return undefined
  const shape = shapeOf(tool, input)
  return isNothing(shape) ? undefined : shape
}

const isNothing = ({ lines, patches, files, urls, unreadable }: ToolShape): boolean =>
  [lines, patches, files, urls, unreadable].every(list => list.length === 0)

/** The server may have a root of its own, and its own meaning for a URL: of those its acts tell already. */
function shapeOfMcp(tool: string, input: JsonObject): ToolShape | undefined {
  const shape = shapeOf(tool, input, wordsOf(tool))
  if (shape.lines.length === 0) return undefined
  const only = { files: [], urls: [], patches: [] }
  return { ...shape, ...only, tool, input, background: true, isPartial: false }
}

/** The canonical field of a described tool that its input lacks. A search without a folder is one of this folder. */
function missingField(name: string, input: JsonObject): string | undefined {
  if (canonicalTools.shells.has(name)) return name === 'monitor' || input.command !== undefined ? undefined : 'command'
  if (name === 'applypatch') return isText(input.patch) ? undefined : 'patch'
  const [action, field] = canonicalTools.actions.get(name) ?? []
  if (field === undefined || !['read', 'write', 'delete', 'fetch'].includes(action ?? '')) return undefined
  return [input[field]].flat().some(isText) ? undefined : field
}

/** Agents that call their shell by a known name may tell it where to run. */
function inFolder(tool: string, input: JsonObject): ToolShape | undefined {
  const folder = ['cwd', 'workdir', 'working_directory', 'workingDirectory'].map(name => input[name]).find(isText)
  if (folder === undefined) return undefined
  return { ...NOTHING, tool, input, folder, isDescribed: true }
}

const NOTHING = { lines: [], patches: [], files: [], urls: [], unreadable: [], background: false, isPartial: false }

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''

function withField(tool: string, field: string, shape: ToolShape): ToolShape | undefined {
  const { lines, patches, files, urls, input } = shape
  const named = { command: lines, patch: patches, url: urls }[field] ?? files.map(file => file.path)
  const values = [...new Set(named)]
  // an edit that names no file may bring a patch that does
  if (values.length === 0) return isNothing(shape) ? undefined : { ...shape, tool }
  // several lines are read one by one
  if (values.length > 1 && (field === 'command' || field === 'patch')) return { ...shape, tool }
  const value: Json = values.length === 1 ? (values[0] ?? '') : [...values]
  return { ...shape, tool, input: { ...input, [field]: value }, isDescribed: true }
}

/** `name`: the words of its name; of an MCP tool with those of its server, and without the guess that any text may be a line. */
function shapeOf(tool: string, input: JsonObject, name = toolWords(tool)): ToolShape {
  const isMcp = tool.toLowerCase().startsWith('mcp_')
  const all = searchInput(input)
  const typed = sendsToProcess(name)
  const found = isMcp && !typed ? { ...all, commands: all.commands.filter(one => !one.isGuess) } : all
  const words = [...toolWords(tool), ...found.verbs]
  const lines = linesOf(found, words, typed)
  const mayBeContent = found.texts.length > 0 || (found.code.length > 0 && changes(words))
  const hasContent = found.contents.length > 0 || (mayBeContent && !onlyReads(words))
  const files = filesOf(found, words, hasContent, lines.length > 0)
  const unreadable = unreadableOf(found, words, typed, lines)
  const patches =
    hasContent && files.length > 0 && found.patches.every(one => found.contents.includes(one)) ? [] : found.patches
  const urls = writes(words) && !fetches(words) ? [] : found.urls
  const folders = [...new Set(lines.map(line => line.folder ?? found.folders[0]))]
  const text = lines.map(({ line, folder = found.folders[0] }) =>
    folders.length > 1 && folder !== undefined ? `cd ${quoted(folder)} && ${line}` : line,
  )
  const shape = { lines: text, patches, files, urls, unreadable, background: found.background }
  const like = likeness(shape, hasContent) ?? tool
  const isPartial = like === tool || unreadable.length > 0
  const [folder] = folders.length === 1 ? folders : []
  const fields = canonicalFields(shape, found)
  return { ...shape, tool: like, input: { ...input, ...fields }, ...(folder && { folder }), isPartial }
}

type Lines = Findings['commands']

function linesOf(found: Findings, words: readonly string[], typed: boolean): Lines {
  const isShell = found.languages.some(one => /^(sh|bash|zsh|shell|shellscript|terminal|console)$/i.test(one))
  const lines: Lines = [...found.commands, ...(isShell ? found.code.map(line => ({ line, folder: undefined })) : [])]
  const apart = found.args.join(' ')
  if (apart !== '')
    lines.push(...lines.flatMap(one => (/\s/.test(one.line) ? [] : { ...one, line: `${one.line} ${apart}` })))
  if (typed)
    return [...lines, ...textsOf(found)].map(one => ({
      ...one,
      line: one.line.replace(KEYS, '\n').replace(/^\s*[:!]+/, ''),
    }))
  return lines.length === 0 && isShellLike(words) ? textsOf(found) : lines
}

const textsOf = ({ others, texts, contents, code }: Findings): Lines =>
  [...others, ...texts, ...contents, ...code]
    .filter(text => text.trim() !== '')
    .map(line => ({ line, folder: undefined }))

/** Keys by their names, as tools for terminals write them. What a pager or an editor hands to a shell stands behind `!`. */
const KEYS = /\{(enter|return|tab)\}|<(enter|return|cr)>|\bC-m\b|\r|\\[nr]$/gi

/** What is typed goes to whatever runs there; a tool that runs something it does not show does what cannot be told. */
function unreadableOf(found: Findings, words: readonly string[], typed: boolean, lines: Lines): readonly string[] {
  const all = [...found.unreadable]
  if (typed) all.push(...lines.map(one => one.line))
  const runsCode =
    (words.some(word => RUNS_CODE.test(word)) && !words.some(word => RUNS_NO_CODE.test(word))) ||
    (found.code.length > 0 && words.some(word => LANGUAGES.test(word)))
  if (lines.length > 0 || typed) return all
  if (runsCode)
    all.push(
      found.code.length > 0 ? found.code.join('\n') : [...found.others, ...found.paths.map(one => one.path)].join(' '),
    )
  return all
}

const RUNS_CODE = /^(run|exec|execute|eval|evaluate|repl|interpreter)$/
const LANGUAGES = /^(python|ipython|jupyter|kernel|node|javascript|js|deno|ruby|perl|php|lua)$/
const RUNS_NO_CODE = /^(agent|agents|subagent|subagents|skill|query|queries|sql|search|prompt|workflow)$/

/** A path beside a command is where it runs. What is done to a path alone, only words can say. */
function filesOf(found: Findings, words: readonly string[], hasContent: boolean, runs: boolean): readonly ShapeFile[] {
  const named = pathsOf(found, hasContent)
  if (found.remote || (runs && found.contents.length === 0)) return []
  return named.flatMap(({ path, field }) =>
    actionsOn(field, words, hasContent).map(action => ({ action, path: pathOf(path) })),
  )
}

function pathsOf({ paths, names, others }: Findings, hasContent: boolean): readonly FoundPath[] {
  const looksNamed = (text: string): boolean => /^(\.|~|\/|[\w.-]+\/)|\.\w{1,5}$/.test(text) && !/\s|:\/\//.test(text)
  const more = hasContent && paths.length === 0 ? [...names, ...others] : others
  return [...paths, ...more.filter(looksNamed).map(path => ({ path, field: [] }))]
}

const SOURCE = /^(source|src|from|old)$/
const DESTINATION = /^(destination|dest|dst|to|new|target)$/

function actionsOn(
  field: readonly string[],
  words: readonly string[],
  hasContent: boolean,
): readonly ShapeFile['action'][] {
  const isSource = field.some(word => SOURCE.test(word))
  const isDestination = field.some(word => DESTINATION.test(word))
  if (hasContent || field.includes('saved')) return ['write']
  if (moves(words)) return isDestination ? ['write'] : isSource ? ['delete'] : ['delete', 'write']
  if (deletes(words)) return ['delete']
  if (changes(words)) return isSource && !words.includes('link') ? ['read'] : ['write']
  return onlyReads(words) ? ['read'] : []
}

/** `file:///a%20b`, `C:\a`: as a path with slashes. */
export function pathOf(path: string): string {
  const local = /^file:\/\/(localhost)?(?=\/)/i.exec(path)?.[0]
  if (local === undefined) return path.replaceAll('\\', '/')
  try {
    return decodeURIComponent(path.slice(local.length))
  } catch {
    return path.slice(local.length)
  }
}

type Parts = Pick<ToolShape, 'lines' | 'patches' | 'files' | 'urls'>

function likeness({ lines, patches, files, urls }: Parts, hasContent: boolean): string | undefined {
  if (lines.length === 1) return 'Bash'
  if (lines.length > 1) return undefined
  if (patches.length === 1 && files.length === 0) return 'ApplyPatch'
  if (patches.length > 0) return undefined
  if (files.length > 0 && hasContent && files.every(file => file.action === 'write')) return 'Write'
  if (files.length > 0) return files.every(file => file.action === 'delete') ? 'Delete' : undefined
  return urls.length > 0 ? 'WebFetch' : undefined
}

/** So that conditions on the input of the tool that it is like hold for it too. */
function canonicalFields(
  shape: Pick<ToolShape, 'lines' | 'unreadable' | 'background'> & Parts,
  found: Findings,
): JsonObject {
  const { lines, unreadable, patches, files, urls, background } = shape
  const command = [...lines, ...unreadable].join('\n')
  const changed = [
    ...new Set(files.filter(file => file.action === 'write' || file.action === 'delete').map(one => one.path)),
  ]
  const content = [...found.contents, ...found.texts].join('\n')
  return {
    ...(command !== '' && { command }),
    ...(patches[0] !== undefined && { patch: patches[0] }),
    ...(changed.length > 0 && { file_path: changed.length === 1 ? (changed[0] ?? '') : changed }),
    ...(changed.length > 0 && content !== '' && { content }),
    ...(urls.length > 0 && { url: urls.length === 1 ? (urls[0] ?? '') : [...urls] }),
    ...(background && { run_in_background: true }),
  }
}
