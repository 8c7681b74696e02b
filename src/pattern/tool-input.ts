import { isObject, type Json, type JsonObject, jsonText } from './json.ts'
import { looksLikeShell } from './looks-like-shell.ts'
import { type Field, fieldOf } from './tool-fields.ts'
import { wordsOf } from './tool-words.ts'

/** All that the input of a tool nobody has described holds, whatever it is wrapped in. */
export interface Findings {
  readonly commands: FoundCommand[]
  /** words of a command that stand apart from it */
  readonly args: string[]
  readonly paths: FoundPath[]
  readonly urls: string[]
  readonly patches: string[]
  /** text for a file, by a name that means it, and by one that may */
  readonly contents: string[]
  readonly texts: string[]
  readonly code: string[]
  readonly languages: string[]
  /** words that say what is done: `{ action: 'delete' }` */
  readonly verbs: string[]
  readonly folders: string[]
  readonly names: string[]
  /** in fields whose names do not say what they hold */
  readonly others: string[]
  /** what is too deep, too large or broken */
  readonly unreadable: string[]
  background: boolean
  /** `{ owner, repo, path }`: the file is on a server */
  remote: boolean
}

export interface FoundCommand {
  readonly line: string
  readonly folder: string | undefined
  /** its field does not say that it is a command: it looks like one */
  readonly isGuess?: boolean
}

export interface FoundPath {
  readonly path: string
  /** the name of its field: `source`, `new_path` */
  readonly field: readonly string[]
}

const MOST_DEPTH = 12
const MOST_VALUES = 5000
const LONGEST_JSON = 1024 * 1024
const LONGEST_PATH = 4096

interface Search extends Findings {
  left: number
}

export function searchInput(input: JsonObject): Findings {
  const lists = { commands: [], args: [], paths: [], urls: [], patches: [], contents: [], texts: [], code: [] }
  const more = { languages: [], verbs: [], folders: [], names: [], others: [], unreadable: [] }
  const found: Search = { ...lists, ...more, background: false, remote: false, left: MOST_VALUES }
  visit(found, input, 0)
  return found
}

function visit(found: Search, record: JsonObject, depth: number): void {
  if (depth > MOST_DEPTH) {
    found.unreadable.push(jsonText(record))
    return
  }
  const names = Object.keys(record).map(name => name.toLowerCase())
  if (names.includes('owner') && names.some(name => name === 'repo' || name === 'repository')) found.remote = true
  findCommand(found, record)
  findSplitPaths(found, record)
  for (const [name, value] of Object.entries(record)) {
    if (found.left-- <= 0) {
      found.unreadable.push(jsonText(record))
      return
    }
    findIn(found, name, fieldIn(record, name), value, depth)
  }
}

const FOLDER =
  /^(directory|dir|folder|root|cwd|workdir|working_?dir(ectory)?|base(_?(dir|path))?|parent(_?(dir|path))?|location|where)$/i
const SAVED_AS = /^(out|output|dest|destination|to|target|save_?(as|to)|out_?(file|put_?(file|path))|local_?path|as)$/i

/** `{ directory: '.claude', filename: 'settings.json' }`: a path in two fields; beside a URL, where it is saved. */
function findSplitPaths(found: Search, record: JsonObject): void {
  const texts = Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value !== '' && value.length <= LONGEST_PATH && !value.includes('\n')
      ? [[name, value]]
      : [],
  )
  const isFile = (name: string): boolean => !FOLDER.test(name) && ['path', 'name'].includes(fieldOf(name))
  for (const [, folder] of texts.filter(([name]) => FOLDER.test(name)).slice(0, 4))
    for (const [, file] of texts.filter(([name]) => isFile(name)).slice(0, 4))
      if (!/^([/~]|\w+:)/.test(file))
        found.paths.push({ path: `${folder.replace(/\/+$/, '')}/${file}`, field: ['path'] })
  if (!texts.some(([, text]) => /^https?:\/\//i.test(text))) return
  for (const [name, text] of texts)
    if (SAVED_AS.test(name) && !/^https?:/i.test(text)) found.paths.push({ path: text, field: ['saved'] })
}

/** Beside a path, `old` and `new` are no paths. */
function fieldIn(record: JsonObject, name: string): Field {
  const field = fieldOf(name)
  if (field !== 'place' || !/^(old|new)$/i.test(name) || !hasPath(record)) return field
  return name.toLowerCase() === 'new' ? 'content' : 'text'
}

const hasPath = (record: JsonObject): boolean => Object.keys(record).some(name => fieldOf(name) === 'path')

function findIn(found: Search, name: string, field: Field, value: Json, depth: number): void {
  if (typeof value === 'string') {
    findInText(found, name, field, value, depth)
    return
  }
  if (value === true && field === 'background') found.background = true
  if (Array.isArray(value)) {
    if (field === 'content' && value.length > 0) found.contents.push(jsonText(value))
    for (const one of value) {
      if (found.left-- <= 0) {
        found.unreadable.push(jsonText(value))
        return
      }
      if (depth > MOST_DEPTH) found.unreadable.push(jsonText(one))
      else if (one !== null && typeof one === 'object') findIn(found, name, field, one, depth + 1)
      else if (typeof one === 'string' && field !== 'command' && field !== 'args')
        findInText(found, name, field, one, depth)
    }
  } else if (isObject(value)) {
    if (field === 'content') found.contents.push(jsonText(value))
    findFileMap(found, value)
    if (field !== 'env') visit(found, value, depth + 1)
  }
}

/** `{ files: { 'src/a.ts': 'text' } }`, `{ changes: { 'file:///src/a.ts': [edits] } }` */
function findFileMap(found: Search, value: JsonObject): void {
  for (const [key, text] of Object.entries(value)) {
    if (!/^file:\/\/|[/\\]|^\.?[\w-]+\.[a-z]{1,5}$/i.test(key) || /^https?:/i.test(key) || /\s/.test(key)) continue
    if (typeof text !== 'string' && !Array.isArray(text)) continue
    found.paths.push({ path: key, field: ['file'] })
    found.contents.push(typeof text === 'string' ? text : jsonText(text))
  }
}

function findInText(found: Search, name: string, field: Field, text: string, depth: number): void {
  if (field === 'content') found.contents.push(text)
  if (field === 'text') found.texts.push(text)
  if (field === 'code') found.code.push(text)
  if (field === 'language') found.languages.push(text)
  if (field === 'name') found.names.push(text)
  if (field === 'verb' || (field === 'command' && EDITORS.test(text))) found.verbs.push(...wordsOf(text.slice(0, 40)))
  if (text === '') return
  if (isPatch(text) && field !== 'command') found.patches.push(text)
  if (field === 'folder') found.folders.push(text)
  if (/^file:\/\//i.test(text) || field === 'path' || field === 'folder' || (field === 'place' && isPathLike(text))) {
    if (!/^https?:\/\//i.test(text)) found.paths.push({ path: text, field: wordsOf(name) })
    // as people mention files to an agent
    if (text.startsWith('@')) found.paths.push({ path: text.slice(1), field: wordsOf(name) })
  }
  if (isUrl(text, field)) found.urls.push(text)
  if (MAY_WRAP.has(field)) findWrapped(found, field, text, depth)
}

/** Fields in which a whole call may stand as text. */
const MAY_WRAP: ReadonlySet<Field> = new Set<Field>(['args', 'stdin', 'other', 'code', 'verb', 'place', 'text'])

/** JSON or tags in a text: `{ arguments: '{"command":"…"}' }`, `<command>…</command>` */
function findWrapped(found: Search, field: Field, text: string, depth: number): void {
  const trimmed = text.trim()
  if (/^[[{"]/.test(trimmed)) {
    const value = trimmed.length > LONGEST_JSON ? undefined : jsonIn(trimmed)
    if (typeof value === 'string' || (typeof value === 'object' && value !== null)) {
      findIn(found, '', typeof value === 'string' ? field : 'other', value, depth + 1)
      return
    }
    if (/^[[{]\s*["{[]/.test(trimmed) && field !== 'text' && field !== 'code') found.unreadable.push(text)
  }
  const tags = [...trimmed.slice(0, LONGEST_JSON).matchAll(/<([a-z]\w*)>([^<]*)<\/\1>/gi)]
  if (tags.length > 0 && depth <= MOST_DEPTH)
    visit(found, Object.fromEntries(tags.map(([, tag = '', inner = '']) => [tag, inner])), depth + 1)
  if (field !== 'text' && field !== 'code' && looksLikeShell(text))
    found.commands.push({ line: text, folder: undefined, isGuess: true })
  else if (field === 'other' || field === 'stdin' || field === 'args') found.others.push(text)
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a sentence has and a path has not: more than a few blanks, lines. */
const isPathLike = (text: string): boolean =>
  text.length <= LONGEST_PATH && !text.includes('\n') && (/[/\\.~]/.test(text) || !/\s/.test(text))

const isUrl = (text: string, field: Field): boolean =>
  /^\s*https?:\/\//i.test(text)
    ? field !== 'prose' && field !== 'content' && field !== 'text' && field !== 'command' && !/\s/.test(text.trim())
    : field === 'url' && /^(\/\/|[\w-]+(\.[\w-]+)+([/:?#]|$))/.test(text.trim())

const isPatch = (text: string): boolean => /^\s*\*\*\* Begin Patch/m.test(text) || isDiff(text)

/** A unified diff: the headers of a file. */
const isDiff = (text: string): boolean =>
  /^diff --git /m.test(text) ||
  (/^--- \S/m.test(text) && /^\+\+\+ \S/m.test(text)) ||
  /^Index: \S/m.test(text) ||
  /^\*\*\* \S[^\n]*\n--- \S/m.test(text)

/** The command of this record, with its words, folder, variables and input, as one line of shell. */
function findCommand(found: Search, record: JsonObject): void {
  const of = (wanted: Field): readonly Json[] =>
    Object.entries(record).flatMap(([name, value]) => (fieldOf(name) === wanted ? [value] : []))
  const commands = Object.entries(record).flatMap(([name, value]) =>
    fieldOf(name) === 'command' ? linesOf(value, /s$/i.test(name), hasWords(record)) : [],
  )
  const args = of('args').flatMap(argsOf).join(' ')
  const program = Object.entries(record).find(([name, value]) => PROGRAM.test(name) && isWord(value))?.[1]
  if (program !== undefined && (args !== '' || commands.length > 0))
    found.commands.push({ line: [quoted(String(program)), args || commands[0]].join(' '), folder: folderIn(record) })
  if (commands.length === 0) {
    if (args !== '' && of('args').some(isTexts)) found.args.push(args)
    return
  }
  const env = of('env').find(isObject)
  const stdin = of('stdin').find(one => typeof one === 'string' && one !== '')
  for (const command of commands) {
    if (hasPath(record) && EDITORS.test(command)) continue
    found.commands.push({
      line: withInput(withEnv(`${command} ${args}`.trimEnd(), env), typeof stdin === 'string' ? stdin : undefined),
      folder: folderIn(record),
    })
  }
}

/** `{ program: 'rm', arguments: ['-rf', 'x'] }` */
const PROGRAM = /^(program|executable|binary|exe|bin|file)$/i
const isWord = (value: Json): boolean => typeof value === 'string' && /^[^\s]+$/.test(value)
const hasWords = (record: JsonObject): boolean =>
  Object.entries(record).some(([name, value]) => fieldOf(name) === 'args' && argsOf(value).length > 0)

function folderIn(record: JsonObject): string | undefined {
  const named = (is: (name: string) => boolean) =>
    Object.entries(record).find(([name, value]) => is(name) && typeof value === 'string' && value !== '')?.[1]
  const folder = named(name => fieldOf(name) === 'folder') ?? named(name => name.toLowerCase() === 'path')
  return typeof folder === 'string' ? folder : undefined
}

/** What an editor of many commands is told: `{ command: 'str_replace', path, new_str }`. */
const EDITORS =
  /^(view|create|str_replace|insert|undo_edit|delete|rename|read|write|edit|replace|append|list|remove|move|copy)$/i

const SHELL_NAME = /^(\S*\/)?(sh|bash|zsh|dash|fish|ksh|cmd|cmd\.exe|powershell|pwsh|default|true|false)$/

/** A line, several lines, or the words of one; the name of a shell is none. Single words that could each be a line are read both ways. */
function linesOf(value: Json, isPlural: boolean, hasArgs: boolean): readonly string[] {
  if (typeof value === 'string')
    return value.trim() === '' || (SHELL_NAME.test(value) && !hasArgs) || isPatchText(value) ? [] : [value]
  if (!isTexts(value) || value.length === 0) return []
  const words = value.map(String)
  const joined = words.map(quoted).join(' ')
  if (words.length === 1) return words
  if (words.every(word => /\s/.test(word.trim()))) return words
  return isPlural ? [joined, ...words] : [joined]
}

const isPatchText = (text: string): boolean => /^\s*\*\*\* Begin Patch/.test(text)

const argsOf = (value: Json): readonly string[] =>
  isTexts(value)
    ? value.map(word => quoted(String(word)))
    : typeof value === 'string' && !/^\s*[[{<]/.test(value)
      ? [value]
      : []

const isTexts = (value: Json): value is (string | number)[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string' || typeof one === 'number')

export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** `CI=1 npm test`; of a line with more in it, for all of it. */
function withEnv(line: string, env: JsonObject | undefined): string {
  const sets = Object.entries(env ?? {}).flatMap(([name, value]) =>
    /^\w+$/.test(name) && (typeof value === 'string' || typeof value === 'number')
      ? `${name}=${quoted(String(value))}`
      : [],
  )
  if (sets.length === 0) return line
  return /[;&|\n(){}]/.test(line) ? `export ${sets.join(' ')}; ${line}` : `${sets.join(' ')} ${line}`
}

function withInput(line: string, stdin: string | undefined): string {
  if (stdin === undefined) return line
  let end = 'END_OF_INPUT'
  while (stdin.includes(end)) end += '_'
  return `${line} <<'${end}'\n${stdin}\n${end}`
}
