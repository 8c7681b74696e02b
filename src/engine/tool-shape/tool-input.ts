import { tryOr } from '../../lib/errors.ts'
import { isObject, type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import { quoteShellWord } from '../../lib/shell-quote.ts'
import { decodedTextOf } from './decoded-text.ts'
import {
  type FieldMeaning,
  fieldMeaningOf,
  isLanguageName,
  namesDeletedThings,
  splitIdentifier,
} from './field-meaning.ts'
import { isPatch } from './looks-like-patch.ts'
import { joinPaths, looksLikePath, mayBePath, mayNameFolder, savedPathsIn } from './looks-like-path.ts'
import { looksLikeShell } from './looks-like-shell.ts'
import { collectAddresses, collectUrls } from './page-urls.ts'
import { taggedFields } from './tagged-fields.ts'
import {
  type CommandCandidate,
  collectCommand,
  commandLinesOf,
  hasPathField,
  isEditorCommand,
  isTextList,
} from './tool-commands.ts'

/** Everything found in the input of a tool without a description, at any depth. */
export interface InputFindings {
  readonly commands: CommandCandidate[]
  /** arguments that stand apart from their command */
  readonly args: string[]
  /** the same arguments as single words, unquoted */
  readonly argWords: string[]
  readonly paths: PathCandidate[]
  readonly urls: string[]
  readonly pages: string[]
  readonly patches: string[]
  /** text for a file: `contents` by a field name that means it, `texts` by a field name that may mean it */
  readonly contents: string[]
  readonly texts: string[]
  readonly code: string[]
  readonly languages: string[]
  /** words that say what the tool does: `{ action: 'delete' }` */
  readonly verbs: string[]
  readonly folders: string[]
  readonly names: string[]
  /** values of fields whose names do not say what they hold */
  readonly others: string[]
  /** what looks like a path, in any field and as any key, except text for a file */
  readonly mentions: string[]
  /** folders that paths in other fields may start from */
  readonly roots: string[]
  /** text that looks like shell lines: `prose` in fields for prose, `written` in fields for text, content and code */
  readonly prose: string[]
  readonly written: string[]
  /** input that is too deep, too large or broken */
  readonly unreadable: string[]
  background: boolean
  /** `{ owner, repo, path }`: the file is on a server */
  remote: boolean
}

export interface PathCandidate {
  readonly path: string
  /** the words of its field's name: `source`, `new_path` */
  readonly field: readonly string[]
}

const MOST_DEPTH = 12
const MOST_VALUES = 5000
const MOST_JOINED = 200
const LONGEST_JSON = 1024 * 1024

interface Search extends InputFindings {
  left: number
}

export function scanToolInput(input: JsonObject): InputFindings {
  const lists = {
    commands: [],
    args: [],
    argWords: [],
    paths: [],
    urls: [],
    patches: [],
    contents: [],
    texts: [],
    code: [],
  }
  const more = { languages: [], verbs: [], folders: [], names: [], others: [], prose: [], written: [] }
  const named = { pages: [], mentions: [], roots: [], unreadable: [] }
  const found: Search = { ...lists, ...more, ...named, background: false, remote: false, left: MOST_VALUES }
  visit(found, input, 0)
  joinSplitPaths(found)
  return found
}

function visit(found: Search, record: JsonObject, depth: number): void {
  if (depth > MOST_DEPTH) {
    found.unreadable.push(jsonText(record))
    return
  }
  const names = Object.keys(record).map(name => name.toLowerCase())
  if (names.includes('owner') && names.some(name => name === 'repo' || name === 'repository')) found.remote = true
  if (names.length > 1 && names.every((name, at) => name === String(at)))
    findInWords(found, '', 'other', Object.values(record).map(String))
  collectCommand(found, record)
  collectAddresses(found, record)
  found.paths.push(...savedPathsIn(record).map(path => ({ path, field: ['saved'] })))
  findFileMap(found, record)
  for (const [name, value] of Object.entries(record)) {
    if (found.left-- <= 0) {
      found.unreadable.push(jsonText(record))
      return
    }
    findIn(found, name, fieldIn(record, name, value), value, depth)
  }
}

/** `{ directory: '.claude', filename: 'settings.json' }`: a path in two fields, at any depth. */
function joinSplitPaths({ roots, paths, names, mentions }: Search): void {
  if (roots.length === 0) return
  const files = [...paths.map(path => path.path), ...names.filter(mayBePath)].slice(0, MOST_JOINED)
  paths.push(...joinPaths(roots, files).map(path => ({ path, field: ['path'] })))
  mentions.push(...joinPaths(roots, mentions.slice(0, MOST_JOINED)))
}

/** Beside a path, `old` and `new` hold text, not paths. */
function fieldIn(record: JsonObject, name: string, value: Json): FieldMeaning {
  const field = fieldMeaningOf(name)
  // beside a language, `source` is code
  const isInLanguage =
    /^(source|src)$/i.test(name) && Object.keys(record).some(text => fieldMeaningOf(text) === 'language')
  if (isInLanguage && !hasPathField(record)) return 'code'
  // no path looks like this: `fs.rmSync("a")`, `import os; …`
  if (field === 'place' && /^(source|src)$/i.test(name) && isCodeLike([value].flat().map(String).join('\n')))
    return 'code'
  if (field !== 'place' || !/^(old|new)$/i.test(name) || !hasPathField(record)) return field
  return name.toLowerCase() === 'new' ? 'content' : 'text'
}

const isCodeLike = (text: string): boolean => /\w\s*\([^)]*\)|[;{}=]\s|\n/.test(text) || looksLikeShell(text)

function findIn(found: Search, name: string, field: FieldMeaning, value: Json, depth: number): void {
  const before = found.paths.length
  if (typeof value === 'string') findInText(found, name, field, value, depth)
  else if (Array.isArray(value)) findInList(found, name, field, value, depth)
  else if (isObject(value)) findInRecord(found, field, value, depth)
  else if (field === 'content') found.contents.push(value === null ? '' : String(value))
  else if (value === true && field === 'background') found.background = true
  // `lint { path, fix: true }`
  else if (value === true && CHANGES.test(name)) found.verbs.push('write')
  // `{ path, delete: true }`
  else if (value === true && /^(delete|remove|unlink)$/i.test(name)) found.verbs.push('delete')
  if (field === 'other' && namesDeletedThings(splitIdentifier(name)))
    for (const [at, one] of found.paths.entries())
      if (at >= before) found.paths[at] = { ...one, field: [...one.field, 'delete'] }
}

const CHANGES = /^(auto_?)?(fix|write|save|overwrite|in_?place|apply|format|update)$/i
/** How a file is opened: `{ mode: 'w' }`, `{ flags: 'O_RDWR' }` */
const OPENS = /^(open_?)?(mode|flags?|access)$/i
const TO_WRITE = /^[rbt]*[wax+][rwaxbt+]*$|write|append|wronly|rdwr|creat/i
/** Keys that are typed one by one. */
const TYPED_KEYS = /^key_?(strokes?|press(es)?|sequence)$/i
const KEY_NAME = /^(.|enter|return|space|tab|[CM]-.)$/i

function findInRecord(found: Search, field: FieldMeaning, value: JsonObject, depth: number): void {
  if (field === 'content') found.contents.push(jsonText(value))
  if (field === 'text') found.texts.push(jsonText(value))
  if (field === 'env') return
  const before = found.commands.length + found.unreadable.length
  visit(found, value, depth + 1)
  // a command in an unknown form
  if (field === 'command' && found.commands.length + found.unreadable.length === before && !hasPathField(value))
    found.unreadable.push(jsonText(value))
}

function findInList(found: Search, name: string, field: FieldMeaning, value: readonly Json[], depth: number): void {
  if (field === 'content' && value.length > 0) found.contents.push(jsonText([...value]))
  // the bytes of a file
  if (field === 'text' && value.length > 0 && value.every(candidate => typeof candidate === 'number'))
    found.texts.push(jsonText([...value]))
  if (TYPED_KEYS.test(name) || (/^keys$/i.test(name) && value.some(candidate => KEY_NAME.test(String(candidate)))))
    found.unreadable.push(jsonText([...value]))
  if (field === 'args' && isTextList([...value])) found.argWords.push(...value.map(String))
  if (isTextList([...value]) && value.length > 1) findInWords(found, name, field, value.map(String))
  for (const item of value) {
    if (found.left-- <= 0) {
      found.unreadable.push(jsonText([...value]))
      return
    }
    if (depth > MOST_DEPTH) found.unreadable.push(jsonText(item))
    else if (item !== null && typeof item === 'object') findIn(found, name, field, item, depth + 1)
    else if (typeof item === 'string' && field !== 'command' && field !== 'args')
      findInText(found, name, field, item, depth)
  }
}

/** `['rm', '-rf', 'src']`: the words of a line, or the folders and the name of a path. */
function findInWords(found: Search, name: string, field: FieldMeaning, words: readonly string[]): void {
  if ((field === 'path' && !/s$/i.test(name)) || /^(path_?)?(parts|segments|components|pieces)$/i.test(name))
    found.paths.push({ path: words.join('/').replace(/\/{2,}/g, '/'), field: splitIdentifier(name) })
  if (field === 'command' || field === 'args' || !looksLikeShell(words.join(' '))) return
  const line = words.map(quoteShellWord).join(' ')
  if (WRITTEN.has(field)) found.written.push(line)
  else if (field === 'prose') found.prose.push(line)
  else
    found.commands.push(
      ...commandLinesOf([...words], false).map(text => ({ line: text, folder: undefined, isGuess: true })),
    )
}

/** `{ files: { 'src/a.ts': 'text' } }`, `{ changes: { 'file:///src/a.ts': [edits] } }` */
function findFileMap(found: Search, value: JsonObject): void {
  for (const [key, text] of Object.entries(value)) {
    if (/\s/.test(key) && looksLikeShell(key)) found.prose.push(key)
    if (!/^file:\/\/|[/\\]|^\.?[\w-]+\.[a-z]{1,5}$/i.test(key) || /^https?:/i.test(key) || /\s/.test(key)) continue
    found.mentions.push(key)
    if (typeof text !== 'string' && !Array.isArray(text)) continue
    found.paths.push({ path: key, field: ['file'] })
    found.contents.push(typeof text === 'string' ? text : jsonText(text))
  }
}

function findInText(found: Search, name: string, field: FieldMeaning, text: string, depth: number): void {
  if (field === 'content') found.contents.push(text)
  if (field === 'text' || (field === 'place' && text.includes('\n'))) found.texts.push(text)
  if (field === 'code') found.code.push(text)
  if (field === 'code' && isLanguageName(name)) found.languages.push(name)
  if (field === 'language') found.languages.push(text)
  if (field === 'name') found.names.push(text)
  if (field === 'other' && /^\S+$/.test(text) && namesDeletedThings(splitIdentifier(name)))
    found.paths.push({ path: text, field: ['delete'] })
  if (field === 'verb' || (field === 'command' && isEditorCommand(text)))
    found.verbs.push(...splitIdentifier(text.slice(0, 40)))
  if (OPENS.test(name) && TO_WRITE.test(text)) found.verbs.push('write')
  if (text === '') return
  if (field !== 'content' && looksLikePath(text)) found.mentions.push(text)
  if ((field === 'folder' || mayNameFolder(name)) && mayBePath(text)) found.roots.push(text)
  if (field === 'prose' && looksLikeShell(text)) found.prose.push(text)
  if (WRITTEN.has(field) && looksLikeShell(text)) found.written.push(withoutEscape(text))
  if (field === 'url' && !/^\w+:/.test(text)) {
    found.names.push(text)
    if (mayBePath(text)) found.paths.push({ path: text, field: splitIdentifier(name) })
  }
  if (isPatch(text) && field !== 'command') found.patches.push(text)
  if (field === 'folder') found.folders.push(text)
  // a file that an editor sees somewhere else: `vscode-remote://host/home/a`
  const inUri = text.replace(/^vscode[\w+-]*:\/\/[^/]*/, '')
  if (inUri !== text) found.paths.push({ path: inUri, field: splitIdentifier(name) })
  if (/^file:\/\//i.test(text) || field === 'path' || field === 'folder' || (field === 'place' && mayBePath(text))) {
    if (!/^https?:\/\//i.test(text)) found.paths.push({ path: text, field: splitIdentifier(name) })
    // people mention files to an agent as `@file`
    if (text.startsWith('@')) found.paths.push({ path: text.slice(1), field: splitIdentifier(name) })
  }
  if (/^(out|output)$/i.test(name) && looksLikePath(text))
    found.paths.push({ path: text, field: splitIdentifier(name) })
  collectUrls(found, text, field)
  if (MAY_WRAP.has(field)) findWrapped(found, field, text, depth)
  const decoded = depth > MOST_DEPTH ? undefined : decodedTextOf(text)
  if (decoded === undefined) return
  if (field === 'command') found.commands.push({ line: decoded, folder: undefined })
  else findInText(found, name, WRITTEN.has(field) ? field : 'other', decoded, depth + 1)
}

const WRITTEN: ReadonlySet<FieldMeaning> = new Set<FieldMeaning>(['text', 'content', 'code'])

/** Notebooks and pagers pass text after `!` to a shell; `$ ` is a shell's prompt. */
const withoutEscape = (text: string): string => text.replace(/^\s*(!+|\$ )(?=\w)/, '')

/** Fields that may hold a whole tool call as text. */
const MAY_WRAP: ReadonlySet<FieldMeaning> = new Set<FieldMeaning>([
  'args',
  'stdin',
  'other',
  'code',
  'verb',
  'place',
  'text',
])

/** Parses JSON or tags in a text: `{ arguments: '{"command":"…"}' }`, `<command>…</command>` */
function findWrapped(found: Search, field: FieldMeaning, text: string, depth: number): void {
  const trimmed = text.trim()
  if (/^[[{"]/.test(trimmed)) {
    const value = trimmed.length > LONGEST_JSON ? undefined : jsonIn(trimmed)
    if (typeof value === 'string' || (typeof value === 'object' && value !== null)) {
      findIn(found, '', typeof value === 'string' ? field : 'other', value, depth + 1)
      return
    }
    if (/^[[{]\s*["{[]/.test(trimmed) && field !== 'text' && field !== 'code') found.unreadable.push(text)
  }
  const tagged = taggedFields(trimmed.slice(0, LONGEST_JSON))
  if (Object.keys(tagged).length > 0 && depth <= MOST_DEPTH) visit(found, tagged, depth + 1)
  if (field !== 'text' && field !== 'code' && looksLikeShell(text))
    found.commands.push({ line: text, folder: undefined, isGuess: true })
  else if (field === 'other' || field === 'stdin' || field === 'args') found.others.push(text)
}

const jsonIn = (text: string): Json | undefined => tryOr(undefined, () => JSON.parse(text))
