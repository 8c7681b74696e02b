import type { JsonObject } from '../../lib/json.ts'
import { quoteShellWord } from '../../lib/shell-quote.ts'
import {
  namesAct,
  namesChange,
  namesCodeMode,
  namesDeletion,
  namesDrawing,
  namesFetch,
  namesInputToRunningProcess,
  namesLooking,
  namesMessaging,
  namesOnlyReading,
  namesOnlyReadingLoosely,
  namesRunningProcess,
  namesShell,
  namesWatching,
  namesWriting,
  wordsOfToolName,
} from './field-meaning.ts'
import { gitLinesOf } from './git-lines.ts'
import { looksLikePath } from './looks-like-path.ts'
import { looksLikeShell } from './looks-like-shell.ts'
import { mayFetchPages } from './page-urls.ts'
import type { CommandCandidate } from './tool-commands.ts'
import { filesOf, pathsOf, type ShapeFileAccess } from './tool-files.ts'
import { type InputFindings, scanToolInput } from './tool-input.ts'
import { lineFromTypedKeys } from './typed-keys.ts'

/** What a call of a tool without a description seems to do, by the shape of its input and the words of its name. */
export interface ToolShape {
  /** the canonical tool that it resembles; its own name if it resembles none or does several things */
  readonly tool: string
  /** its own fields and the canonical fields */
  readonly input: JsonObject
  readonly folder?: string
  /** shell lines */
  readonly lines: readonly string[]
  /** the lines run in the background, so nobody sees how they end */
  readonly background: boolean
  readonly patches: readonly string[]
  readonly files: readonly ShapeFileAccess[]
  readonly urls: readonly string[]
  /** code in other languages, text for a running process, input that is nested too deeply */
  readonly unreadable: readonly string[]
  /** the call may do more than this: an exemption for one of these actions does not exempt the call */
  readonly isPartial: boolean
  /** a tool with a description: its actions follow from its name and this input */
  readonly isDescribed?: true
  /** a tool with a description and extra fields in its input: these actions are added to what its name says */
  readonly isExtra?: true
}

/** `name`: the words of the tool's name, for an MCP tool with its server's. Guessed shell lines do not count for MCP tools. */
export function toolShapeOf(tool: string, input: JsonObject, name = wordsOfToolName(tool)): ToolShape {
  const isMcp = tool.toLowerCase().startsWith('mcp_')
  const all = scanToolInput(input)
  const typed =
    namesInputToRunningProcess(name) ||
    (namesRunningProcess(name) && namesInputToRunningProcess([...name, ...all.verbs]))
  const found = isMcp && !typed ? withoutGuesses(all) : all
  // an editor that only shows: `str_replace_editor { command: 'view' }`
  const isView = input.command === 'view' && /edit/i.test(tool)
  const words = isView ? ['view'] : [...wordsOfToolName(tool), ...found.verbs]
  const hasContent = bringsContent(found, words)
  // a server for git has it in its name; the repository of another server may be elsewhere
  const git = isMcp && !name.includes('git') ? [] : gitLinesOf(found, words, input, [...name, ...words].join(' '))
  const lines = linesOf(found, words, { typed, hasContent, isMcp, git })
  const runs = lines.some(line => !line.isGuess)
  const files = filesOf(found, words, hasContent, runs)
  const unreadable = unreadableOf(found, words, { typed, lines, files, isMcp })
  const patches =
    hasContent && files.length > 0 && found.patches.every(patch => found.contents.includes(patch)) ? [] : found.patches
  const pages = found.urls.length === 0 && mayFetchPages(words) ? found.pages : found.urls
  const urls = namesWriting(words) && !namesFetch(words) ? [] : pages
  const folders = [...new Set(lines.map(line => line.folder ?? found.folders[0]))]
  const text = lines.map(({ line, folder = found.folders[0] }) =>
    folders.length > 1 && folder !== undefined ? `cd ${quoteShellWord(folder)} && ${line}` : line,
  )
  const shape = { lines: text, patches, files, urls, unreadable, background: found.background }
  const like = likeness(shape, hasContent) ?? tool
  const isPartial = like === tool || unreadable.length > 0
  const [folder] = folders.length === 1 ? folders : []
  const fields = canonicalFields(shape, found)
  return { ...shape, tool: like, input: { ...input, ...fields }, ...(folder && { folder }), isPartial }
}

const withoutGuesses = (found: InputFindings): InputFindings => ({
  ...found,
  commands: found.commands.filter(command => !command.isGuess),
})

/** Does the input bring text for a file? Either a field's name says so, or a path beside the text does. */
function bringsContent({ contents, texts, code, others, paths }: InputFindings, words: readonly string[]): boolean {
  const isRead = namesOnlyReading(words) || namesOnlyReadingLoosely(words)
  // `read_file { path, content: '' }`: a field for the result
  if (contents.length > 0 && !(isRead && contents.every(text => text === ''))) return true
  const mayBe = texts.length > 0 || (code.length > 0 && (namesChange(words) || paths.length > 0))
  const isLong = (paths.length > 0 || others.some(looksLikePath)) && others.some(text => text.includes('\n'))
  return (mayBe || isLong) && !isRead
}

export const isEmptyShape = ({ lines, patches, files, urls, unreadable }: ToolShape): boolean =>
  [lines, patches, files, urls, unreadable].every(list => list.length === 0)

type Lines = CommandCandidate[]

interface How {
  /** the input goes to a process that already runs */
  readonly typed: boolean
  readonly hasContent: boolean
  readonly isMcp: boolean
  readonly git: readonly string[]
}

function linesOf(found: InputFindings, words: readonly string[], { typed, hasContent, isMcp, git }: How): Lines {
  const isShell = found.languages.some(language => /^(sh|bash|zsh|shell|shellscript|terminal|console)$/i.test(language))
  const given = namesLooking(words) ? withoutGuesses(found).commands : found.commands
  const lines: Lines = [...given, ...(isShell ? found.code.map(line => ({ line, folder: undefined })) : [])]
  const apart = found.args.join(' ')
  if (apart !== '')
    lines.push(...lines.flatMap(line => (/\s/.test(line.line) ? [] : { ...line, line: `${line.line} ${apart}` })))
  if (!isMcp) lines.push(...guessesOf(found, words, hasContent))
  if (lines.length === 0) lines.push(...git.map(line => ({ line, folder: undefined, isGuess: true })))
  if (typed)
    return [...lines, ...textsOf(found)].map(candidate => ({
      ...candidate,
      // a pager or an editor passes text after `!` to a shell
      line: lineFromTypedKeys(candidate.line).replace(/^\s*[:!]+/, ''),
    }))
  return lines.length === 0 && namesShell(words) ? textsOf(found) : lines
}

/** Text that looks like a shell line: in prose, unless the tool is for messages or reading; in other text, unless it is for a file. */
function guessesOf(found: InputFindings, words: readonly string[], hasContent: boolean): Lines {
  const { prose, written, args, argWords, commands, paths, names, others } = found
  const hasFile = hasContent && pathsOf(found, true).length > 0
  if (namesMessaging(words) || namesLooking(words)) return []
  const [program = '', ...rest] = words.filter(word => words.length === 1 || !CALLS.test(word))
  const apart = commands.length > 0 ? [] : [...args, ...argWords].filter(looksLikeShell)
  // a tool that is named and called like a program: `rm ['src']`, `git { args: ['commit'] }`
  const called =
    rest.length === 0 &&
    (isProgramName(program) || program === 'make') &&
    !namesShell(words) &&
    !LANGUAGES.test(program)
      ? [
          [
            program,
            ...toDo(program, found),
            ...args,
            ...[...others, ...names, ...paths.map(path => path.path)].map(quoteShellWord),
          ].join(' '),
        ]
      : []
  return [...called, ...apart, ...prose, ...(hasFile ? [] : written)].map(line => ({
    line,
    folder: undefined,
    isGuess: true,
  }))
}

/** `git { command: 'push' }`, `git { operation: 'push' }` */
const toDo = (program: string, { commands, verbs }: InputFindings): readonly string[] => [
  ...verbs,
  ...commands.map(command => command.line).filter(line => !line.startsWith(`${program} `)),
]

const textsOf = ({ others, texts, contents, code, args }: InputFindings): Lines =>
  [...others, ...texts, ...contents, ...code, ...args]
    .filter(text => text.trim() !== '')
    .map(line => ({ line, folder: undefined }))

interface Seen {
  readonly typed: boolean
  readonly lines: Lines
  readonly files: readonly ShapeFileAccess[]
  readonly isMcp: boolean
}

/** Typed text goes to whatever runs there. What a tool runs without showing it is unknown. */
function unreadableOf(found: InputFindings, words: readonly string[], seen: Seen): readonly string[] {
  const { typed, lines, files, isMcp } = seen
  if (isMcp && !typed) return lines.length > 0 ? [] : codeOfMcp(found, words)
  const all = [...found.unreadable]
  if (typed) all.push(...lines.map(line => line.line))
  const isHarmless = namesMessaging(words) || namesOnlyReadingLoosely(words) || namesWatching(words)
  if ((isOfProgram(words) || actsUnseen(words, found, seen)) && !namesShell(words) && !isHarmless)
    all.push([words.join(' '), ...found.others].join(' '))
  // `git { message }`: a program, and not what it is to do
  if (words.length === 1 && lines.some(line => line.line === words[0])) all.push(words.join())
  if (lines.length > 0 || typed) return all
  const { code, others, paths } = found
  if (runsCode(found, words))
    all.push(code.length > 0 ? code.join('\n') : [...others, ...paths.map(path => path.path)].join(' '))
  else if (!isHarmless && !namesDrawing(words)) all.push(...doubtful(found, words, files))
  return all
}

/** `git_commit`, `npm_run`, `use_aws`: which program runs is known, and not with what. */
const isOfProgram = ([first = '', second = '', ...rest]: readonly string[]): boolean =>
  (second !== '' && isProgramName(first)) || (/^(use|call)$/.test(first) && isProgramName(second) && rest.length === 0)

/** `install_extension`, `deploy_web_app`: the name says that something changes, and the input does not show what. */
const actsUnseen = (words: readonly string[], found: InputFindings, { lines, files }: Seen): boolean =>
  namesAct(words) &&
  // a ticket as well as a file, and a file would have a path
  words.join() !== 'create' &&
  lines.every(line => line.line.startsWith('git ')) &&
  found.patches.length === 0 &&
  !found.remote &&
  !files.some(file => file.action === 'write' || file.action === 'delete')

/** Code that an MCP tool runs. A server has its own meaning for everything else. */
function codeOfMcp(found: InputFindings, words: readonly string[]): readonly string[] {
  const { code, contents } = found
  if (code.length === 0 || contents.length > 0 || namesMessaging(words) || namesOnlyReadingLoosely(words)) return []
  const isRun = runsCode(found, words) || (code.some(text => /[;(){}=\n]/.test(text)) && !namesChange(words))
  return isRun && !namesDrawing(words) ? [code.join('\n')] : []
}

const runsCode = ({ code, languages, others }: InputFindings, words: readonly string[]): boolean =>
  (code.length > 0 && languages.length > 0 && !namesChange(words)) ||
  ((words.some(word => RUNS_CODE.test(word)) || namesCodeMode(words)) &&
    !words.some(word => RUNS_NO_CODE.test(word)) &&
    // `get_run_configurations {}`
    (code.length + others.length > 0 || !/^(get|list)$/.test(words[0] ?? ''))) ||
  (words.some(word => LANGUAGES.test(word)) && (code.length > 0 || words.length === 1))

/** Code that belongs to no file, content for an unknown file, names of things to delete. */
function doubtful(
  found: InputFindings,
  words: readonly string[],
  files: readonly ShapeFileAccess[],
): readonly string[] {
  const { code, contents, patches, others, remote } = found
  const isElsewhere = remote || patches.length > 0 || files.some(file => file.action === 'write')
  const rest = isElsewhere ? [] : [...code.filter(text => /[;(){}=\n]/.test(text)), ...contents]
  if (namesDeletion(words) && files.length === 0) rest.push(...others)
  return rest.filter(text => text !== '')
}

const isProgramName = (word: string): boolean => !WORD_OF_ENGLISH.test(word) && looksLikeShell(`${word} x`)

/** Program names that are also plain words in the names of unrelated tools. */
const WORD_OF_ENGLISH = /^(echo|node|env|task|helm|deno|vi|su|uv)$/

const RUNS_CODE = /^(run|exec|execute|eval|evaluate|repl|interpreter)$/
/** Beside the name of a program: `tmux_command`, `run_git` */
const CALLS = /^(command|cmd|cli|tool|call|run|exec|execute)$/
const LANGUAGES = /^(python|ipython|jupyter|kernel|node|javascript|js|deno|ruby|perl|php|lua)$/
const RUNS_NO_CODE = /^(agent|agents|subagent|subagents|skill|query|queries|sql|search|prompt|workflow)$/

type Parts = Pick<ToolShape, 'lines' | 'patches' | 'files' | 'urls'>

function likeness({ lines, patches, files, urls }: Parts, hasContent: boolean): string | undefined {
  if (lines.length === 1) return 'Bash'
  if (lines.length > 1) return undefined
  if (patches.length === 1 && files.length === 0) return 'ApplyPatch'
  if (patches.length > 0) return undefined
  if (files.length > 0 && hasContent && files.every(file => file.action === 'write')) return 'Write'
  if (files.some(file => file.action !== 'other'))
    return files.every(file => file.action === 'delete') ? 'Delete' : undefined
  return urls.length > 0 ? 'WebFetch' : undefined
}

/** Lets conditions on the canonical tool's input match this tool too. */
function canonicalFields(
  shape: Pick<ToolShape, 'lines' | 'unreadable' | 'background'> & Parts,
  found: InputFindings,
): JsonObject {
  const { lines, unreadable, patches, files, urls, background } = shape
  const command = [...lines, ...unreadable].join('\n')
  const changed = [
    ...new Set(files.filter(file => file.action === 'write' || file.action === 'delete').map(file => file.path)),
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
