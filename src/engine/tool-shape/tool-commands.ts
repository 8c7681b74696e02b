import { isObject, type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import { quoteShellWord } from '../../lib/shell-quote.ts'
import { type FieldMeaning, fieldMeaningOf, GIT_VERB, isEncodedField } from './field-meaning.ts'
import { looksLikePath, mayNameFolder } from './looks-like-path.ts'
import { looksLikeShell } from './looks-like-shell.ts'

export interface CommandCandidate {
  readonly line: string
  readonly folder: string | undefined
  /** its field does not say that it is a command, but it looks like a command */
  readonly isGuess?: boolean
}

/** The commands in one record of a tool's input. */
interface RecordCommands {
  readonly commands: CommandCandidate[]
  /** arguments that stand apart from any command */
  readonly args: string[]
  /** a command that exists but cannot be put together */
  readonly unreadable: string[]
}

/** Puts the record's command, arguments, variables and stdin together as one shell line, with its folder. */
export function collectCommand(found: RecordCommands, record: JsonObject): void {
  const of = (wanted: FieldMeaning): readonly Json[] =>
    Object.entries(record).flatMap(([name, value]) => (fieldMeaningOf(name) === wanted ? [value] : []))
  const all = Object.entries(record).flatMap(([name, value]) =>
    fieldMeaningOf(name) === 'command' ? commandLinesOf(value, /s$/i.test(name), hasWords(record)) : [],
  )
  const encoded = Object.entries(record).flatMap(([name, value]) =>
    fieldMeaningOf(name) === 'command' && isEncodedField(record, name) ? [jsonText(value)] : [],
  )
  if (encoded.length > 0) {
    found.unreadable.push(...encoded)
    return
  }
  const args = [...subcommandsOf(record), ...of('args').flatMap(argsOf)].join(' ')
  const loose = of('args').flatMap(unquotedOf).join(' ')
  const folder = folderIn(record)
  const program = programIn(record, args || (all[0] ?? ''))
  // arguments of a program that is named elsewhere, or nowhere
  const commands = program === undefined ? all.filter(line => !/^\s*-/.test(line)) : all
  found.unreadable.push(...all.filter(line => !commands.includes(line)))
  if (program !== undefined && (args !== '' || commands.length > 0))
    found.commands.push({ line: [quoteShellWord(program), args || commands[0]].join(' '), folder })
  if (program !== undefined && args === '' && commands.length === 0 && hasText(record, program))
    found.unreadable.push(jsonText(record))
  if (commands.length === 0) {
    if (program === undefined) found.commands.push(...spreadCommandIn(record))
    if (program === undefined && args !== '' && of('args').some(isTextList)) found.args.push(args)
    return
  }
  const isApart = of('command').length > 1
  const env = of('env').flatMap(setsOf)
  const stdin = of('stdin').find(value => typeof value === 'string' && value !== '')
  for (const command of commands) {
    if (hasPathField(record) && isEditorCommand(command)) continue
    // without an operand it does nothing: the path is no folder to run in
    if (args === '' && NEEDS_OPERAND.test(command))
      for (const path of of('path'))
        found.commands.push({ line: `${command} ${quoteShellWord(String(path))}`, folder: undefined })
    const line = withEnv(`${command} ${args}`.trimEnd(), env)
    const whole = withInput(line, typeof stdin === 'string' ? stdin : undefined)
    found.commands.push({ line: whole, folder })
    // `{ cmd: 'git', argv: ['push'] }`
    if (isApart && BARE.test(command))
      found.commands.push({ line: [command, ...commands.filter(other => other !== command)].join(' '), folder })
    if (loose !== '') found.commands.push({ line: withEnv(`${command} ${loose}`, env), folder })
    // it may run in either folder
    for (const other of possibleFolders(record))
      found.commands.push({ line: `cd ${quoteShellWord(other)} && ${whole}`, folder })
    if (BARE.test(command) && hasMore(record)) found.unreadable.push(`${command} ${jsonText(record)}`)
  }
}

const NEEDS_OPERAND = /^(rm|rmdir|unlink|shred|touch|truncate|mkdir|mv|chmod)$/

/** Names of fields that say nothing of what they hold; `q` is a query. */
const NO_NAME = /^([a-pr-z]|[a-z]\d|prog|util|first|second|third|one|two|what|how|head|rest|tail|then|words?)$/i

/** Fields that name a thing of which a program may be one. */
const NO_PROGRAM =
  /^(q|owner|org\w*|user|author|account|team|group|repo\w*|library|package|category|tags?|keywords?|provider|ecosystem)$/i

/**
 * `{ c: 'git', a: ['push'] }`, `{ first: 'git', second: 'push' }`, `{ x: 'rm', flags: ['-rf', 'src'] }`: a known program, and words that
 * can only be its own. `{ owner: 'git', repo: 'x' }` names none.
 */
function spreadCommandIn(record: JsonObject): readonly CommandCandidate[] {
  const fields = Object.entries(record)
  const [name, program] =
    fields.find(
      ([key, value]) =>
        typeof value === 'string' &&
        BARE.test(value) &&
        !NO_PROGRAM.test(key) &&
        (fieldMeaningOf(key) === 'other' || NAMES_PROGRAM.test(key)) &&
        looksLikeShell(`${value} x`),
    ) ?? []
  if (name === undefined || typeof program !== 'string') return []
  const isUnnamed = NO_NAME.test(name) || NAMES_PROGRAM.test(name)
  const words = fields
    .map(([key, value]) => (key === name ? [] : wordsIn(key, value, isUnnamed, program)).join(' '))
    .filter(text => text !== '')
  // of several fields each may hold the words
  const lines = words.length > 1 ? [words.join(' '), ...words] : words
  return lines.map(line => ({ line: `${program} ${line}`, folder: undefined, isGuess: true }))
}

/** The words in a field beside the program, if they are such. */
function wordsIn(key: string, value: Json, isUnnamed: boolean, program: string): readonly string[] {
  const field = fieldMeaningOf(key)
  if (field !== 'other' && field !== 'args') return []
  const [first] = [value].flat()
  const isFor =
    /^-[a-zA-Z-]/.test(String(first)) ||
    (/^git$/.test(basename(program)) && GIT_VERB.test(String(first).trim().split(/\s/)[0] ?? '')) ||
    (isUnnamed && (field === 'args' || NO_NAME.test(key)) && /^[^\d]/.test(String(first)))
  return isFor ? argsOf(value) : []
}

const basename = (program: string): string => program.slice(program.lastIndexOf('/') + 1)

/** The name of a program, without words. */
const BARE = /^[\w./-]+$/

/** Are there other fields beside the bare program name that may be its arguments, in an unknown order? */
const hasMore = (record: JsonObject): boolean =>
  Object.entries(record).some(
    ([name, value]) =>
      (['place', 'path', 'other'].includes(fieldMeaningOf(name)) || TO_DO.test(name)) &&
      !NO_WORD.test(name) &&
      (typeof value === 'string'
        ? fieldMeaningOf(name) !== 'path'
          ? /[a-z]/.test(value)
          : /^-|[/.~*]/.test(value)
        : isTextList(value) && value.length > 0),
  )

/** `{ program: 'git', value: 'commit -m x' }`, `{ program: 'git', a: ['push'] }` */
const hasText = (record: JsonObject, program: string): boolean =>
  looksLikeShell(`${program} x`) &&
  Object.entries(record).some(
    ([name, value]) =>
      value !== program &&
      (typeof value === 'string' || (isTextList(value) && value.length > 0)) &&
      !['content', 'path', 'folder'].includes(fieldMeaningOf(name)),
  )

/** Folders by fields whose names do not say for certain that the command runs there: `{ command, where: '.claude' }` */
const possibleFolders = (record: JsonObject): readonly string[] =>
  Object.entries(record).flatMap(([name, value]) => {
    const field = fieldMeaningOf(name)
    const mayBe = mayNameFolder(name) || (field === 'other' && !NO_WORD.test(name))
    return typeof value === 'string' &&
      field !== 'folder' &&
      mayBe &&
      (looksLikePath(value) || (mayNameFolder(name) && /^[\w-]+$/.test(value)))
      ? [value]
      : []
  })

/** Fields that say which operation of a program is meant. */
const TO_DO = /^(action|operation|op|method|verb)$/i
const NO_WORD =
  /^(path|justification|sandbox\w*|prefix_?rule|requires_?approval|safe_?to_?auto_?run|(security_?)?risk\w*|login|tty)$/i

/** `{ program: 'rm', arguments: ['-rf', 'x'] }`. A `name` counts as a program only if the whole looks like a shell line. */
function programIn(record: JsonObject, args: string): string | undefined {
  const named = (wanted: RegExp): string | undefined => {
    const value = Object.entries(record).find(([name, one]) => wanted.test(name) && [one].flat().every(isWord))?.[1]
    return value === undefined ? undefined : [value].flat().join(' ')
  }
  const name = named(NAMES_PROGRAM)
  const path = typeof record.path === 'string' && /\bbin\//.test(record.path) ? named(/^path$/) : undefined
  return (
    named(PROGRAM) ??
    (args !== '' ? path : undefined) ??
    (name !== undefined && args !== '' && looksLikeShell(`${name} ${args}`) ? name : undefined)
  )
}

const NAMES_PROGRAM = /^(name|tool|fn|func|function|util(ity)?|app|application|argv_?0|arg_?0)$/i

/** `{ tool: 'git', subcommand: 'push' }` */
const subcommandsOf = (record: JsonObject): readonly string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    /^sub[_-]?(command|cmd)s?$/i.test(name) && typeof value === 'string' ? [value] : [],
  )

const PROGRAM =
  /^((program|command|cmd|executable|process)_?(name|path)|program|executable|binary|exe|bin|file|process|entry_?point)$/i
const isWord = (value: Json): boolean => typeof value === 'string' && /^[^\s]+$/.test(value)
const hasWords = (record: JsonObject): boolean =>
  Object.entries(record).some(([name, value]) => fieldMeaningOf(name) === 'args' && argsOf(value).length > 0)

export const hasPathField = (record: JsonObject): boolean =>
  Object.keys(record).some(name => fieldMeaningOf(name) === 'path')

function folderIn(record: JsonObject): string | undefined {
  const named = (is: (name: string) => boolean) =>
    Object.entries(record).find(([name, value]) => is(name) && typeof value === 'string' && value !== '')?.[1]
  const folder = named(name => fieldMeaningOf(name) === 'folder') ?? named(name => name.toLowerCase() === 'path')
  return typeof folder === 'string' ? folder : undefined
}

/** A command of an editor tool: `{ command: 'str_replace', path, new_str }`. */
export const isEditorCommand = (text: string): boolean =>
  /^(view|create|str_replace|insert|undo_edit|delete|rename|read|write|edit|replace|append|list|remove|move|copy)$/i.test(
    text,
  )

const SHELL_NAME = /^(\S*\/)?(sh|bash|zsh|dash|fish|ksh|cmd|cmd\.exe|powershell|pwsh|default|true|false)$/

/** A line, several lines, or the words of one line; a shell's name is not a line. Words that could be lines are read both ways. */
export function commandLinesOf(value: Json, isPlural: boolean, hasArgs = false): readonly string[] {
  if (typeof value === 'string')
    return value.trim() === '' || (SHELL_NAME.test(value) && !hasArgs) || isPatchText(value) ? [] : [value]
  if (!Array.isArray(value) || value.length === 0) return []
  // lists of words or of lines; objects are visited separately
  if (!isTextList(value)) return value.flatMap(item => (isObject(item) ? [] : commandLinesOf(item, false)))
  const words = value.map(String)
  if (words.length === 1) return words
  if (words.every(word => /\s/.test(word.trim()))) return words
  const joined = words.map(quoteShellWord).join(' ')
  // some tools join the words without quotes
  const loose = words.some(word => OPERATOR.test(word)) ? [words.join(' ')] : []
  return [joined, ...loose, ...(isPlural ? words : words.filter((word, at) => isLineAmongWords(word, words[at - 1])))]
}

/** `['ls', 'rm -rf src']` may be two lines. A word after `-c` is already parsed as a line. */
const isLineAmongWords = (word: string, before: string | undefined): boolean =>
  before !== undefined && !before.startsWith('-') && /\s/.test(word.trim()) && looksLikeShell(word)

const isPatchText = (text: string): boolean => /^\s*\*\*\* Begin Patch/.test(text)

const argsOf = (value: Json): readonly string[] =>
  isTextList(value)
    ? value.map(word => quoteShellWord(String(word)))
    : typeof value === 'string' && !/^\s*[[{<]/.test(value)
      ? [value]
      : []

/** Some tools join the words without quotes (tasks of VS Code, `shell: true`): then an operator among them is one. */
const unquotedOf = (value: Json): readonly string[] =>
  isTextList(value) && value.some(word => OPERATOR.test(String(word))) ? value.map(String) : []

const OPERATOR = /^(\d*[<>]|[|&;])/

export const isTextList = (value: Json): value is (string | number)[] =>
  Array.isArray(value) && value.every(candidate => typeof candidate === 'string' || typeof candidate === 'number')

/** `{ CI: 1 }`, `['CI=1']` */
function setsOf(env: Json): readonly string[] {
  if (isObject(env))
    return Object.entries(env).flatMap(([name, value]) =>
      /^\w+$/.test(name) && (typeof value === 'string' || typeof value === 'number')
        ? `${name}=${quoteShellWord(String(value))}`
        : [],
    )
  return isTextList(env)
    ? env.flatMap(item => {
        const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(String(item)) ?? []
        return name === undefined ? [] : `${name}=${quoteShellWord(value)}`
      })
    : []
}

/** `CI=1 npm test`. For a compound line, `export` sets the variables for all of it. */
function withEnv(line: string, sets: readonly string[]): string {
  if (sets.length === 0) return line
  return /[;&|\n(){}]/.test(line) ? `export ${sets.join(' ')}; ${line}` : `${sets.join(' ')} ${line}`
}

function withInput(line: string, stdin: string | undefined): string {
  if (stdin === undefined) return line
  let end = 'END_OF_INPUT'
  while (stdin.includes(end)) end += '_'
  return `${line} <<'${end}'\n${stdin}\n${end}`
}
