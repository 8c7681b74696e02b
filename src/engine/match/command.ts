import { type Quantifier, someTruth, type Truth, truthOf } from './three-valued.ts'

/** A word of a simple command. `text` is null when only running the shell could determine it (`$X`, `$(…)`). */
export interface Word {
  readonly text: string | null
  /**
   * `plain`: an argument; `option`: begins with a dash before `--`; `value`: surely the value of the option before it;
   * `maybe`: follows an option without a description, so it may be the option's value or an argument.
   */
  readonly role: 'plain' | 'option' | 'value' | 'maybe'
  /** its text is unknown and may turn out to be any option */
  readonly free?: boolean
  /** for a check such as a test run: with this word the check may be smaller, different, empty, or that of another folder */
  readonly narrows?: 'run' | 'folder'
}

/** `git commit --amend`: the program by basename, leading words (`*` = any one), options anywhere. */
export interface CommandPattern {
  readonly program: string
  /** the program as written, if it was written as a path */
  readonly path?: string
  readonly words: readonly string[]
  readonly options: readonly string[]
  /** the words after the program as written, if a word follows an option: the word may be the option's value */
  readonly typed?: readonly string[]
  /** the condition asks for success, so no word that the pattern does not name may have made the check smaller */
  readonly whole?: boolean
}

/** `reading` matches every command that only reads (`$reading`). */
export type CommandMatcher = CommandPattern | { readonly reading: true }

/** The words as one line, uncut. A word is quoted if it would not stay one word. */
export const toCommandLine = (words: readonly Word[]): string =>
  words.map(({ text }) => (text === null ? '…' : NO_WORD.test(text) ? inQuotes(text) : text)).join(' ')

const NO_WORD = /^$|[\s"'`;&|<>()$\\]/
const inQuotes = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)

const BLANKS = /\s+/

export function parseCommand(text: string): CommandPattern | null {
  const [program, ...rest] = text.trim().split(BLANKS)
  if (!program || program.startsWith('-')) return null
  const isOption = (word: string) => word.length > 1 && word.startsWith('-')
  const isMixed = rest.some((word, at) => isOption(word) && rest[at + 1] !== undefined && !isOption(rest[at + 1] ?? ''))
  return {
    program: programName(program),
    ...(program.includes('/') ? { path: program } : {}),
    words: rest.filter(word => !isOption(word)),
    options: rest.filter(isOption),
    ...(isMixed && { typed: rest }),
  }
}

/** `/usr/bin/Git.exe` is `git`. On a case-insensitive disk `GIT` runs git too, so case never distinguishes two programs. */
export const programName = (program: string): string => {
  // one-entry cache: a policy looks up the same program a hundred times
  if (program !== last.program) last = { program, name: bare(program) }
  return last.name
}
let last = { program: '', name: '' }

const bare = (program: string): string =>
  program
    .slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase()

/** A program of the same name in another folder may be anything: it is not exempt, and it proves nothing. */
export const isSystemProgram = (program: string): boolean =>
  !program.includes('/') || /^\/((usr\/)?(local\/)?s?bin|opt\/homebrew\/bin)\/[^/]+$/.test(program)

interface SimpleCommand {
  readonly words: readonly Word[]
  readonly onlyReads?: boolean | undefined
  readonly altered?: boolean | undefined
}

/** `fill` puts captures into words that are templates. */
interface How {
  readonly reading: Quantifier
  readonly fill: (text: string) => string
  /** without script aliases: an allowlist names each command as it is written */
  readonly asWritten?: boolean
}

/**
 * Does the pattern name another program, whatever its words are? `name` is a bare program name. `python -m pytest` may be any program that
 * is a module too.
 */
export const isOtherProgram = (matcher: CommandMatcher, name: string): boolean =>
  'program' in matcher &&
  matcher.program !== name &&
  matcher.program !== '*' &&
  !matcher.program.includes('{') &&
  !runsModules(name, matcher.program)

export const matchCommands = (wanted: readonly CommandMatcher[], command: SimpleCommand, how: How): Truth => {
  const program = command.words[0]?.text
  const name = typeof program === 'string' ? programName(program) : undefined
  return someTruth(wanted, matcher => {
    if (name !== undefined && isOtherProgram(matcher, name)) return 'false'
    if ('reading' in matcher) return truthOf(command.onlyReads === true)
    const matched = matchCommand(matcher, command, how)
    const hasWildcard = matcher.words.some(word => word.includes('*'))
    if (matched === 'true' || name === undefined || hasWildcard || how.asWritten) return matched
    // other spellings of the same run
    return someTruth([command.words, ...aliasesOf(name, command.words)], words =>
      matchCommand(matcher, { ...command, words }, how),
    )
  })
}

function matchCommand(pattern: CommandPattern, { words, altered }: SimpleCommand, { reading, fill }: How): Truth {
  const [program] = words
  if (!program) return 'false'
  if (program.text === null) return 'unknown'
  if (pattern.program !== '*' && programName(program.text) !== fill(pattern.program)) return 'false'
  const rest = words.slice(1)
  if (reading === 'all' && (altered || (!isSystemProgram(program.text) && program.text !== pattern.path)))
    return 'false'
  const options = hasOptions(pattern.options, rest)
  if (options === 'false') return 'false'
  // `npm test $X` may be `npm test --prefix=/elsewhere`
  if (reading === 'all' && rest.some(word => word.free)) return 'unknown'
  const wanted = wordsOf(pattern, rest).map(fill)
  if (reading === 'all' && pattern.whole && isNarrowed(pattern, wanted.length, rest)) return 'false'
  const leading = hasWords(wanted, rest, reading)
  return leading === 'true' ? options : leading
}

/** Does a word that the pattern does not name make the check smaller? The first `leading` arguments count as named. */
function isNarrowed({ options, typed = [] }: CommandPattern, leading: number, words: readonly Word[]): boolean {
  let left = leading
  return words.some(({ text, role, narrows }, at) => {
    if ((role === 'plain' || role === 'maybe') && left > 0) {
      left -= 1
      return false
    }
    if (narrows === undefined) return false
    if (text === null) return true
    const before = words[at - 1]?.text
    return !(options.includes(text) || typed.some((word, nth) => word === text && typed[nth - 1] === before))
  })
}

/** The pattern's words, without words that are the value of the option before them in this call: `python -m pytest`. */
function wordsOf({ words, typed }: CommandPattern, given: readonly Word[]): readonly string[] {
  if (!typed) return words
  const isValue = (option: string, value: string): boolean =>
    given.some(({ role, text }, at) => {
      const next = given[at + 1]
      return role === 'option' && text === option && next?.text === value && next.role !== 'plain'
    })
  return typed.filter((word, at) => {
    const before = typed[at - 1]
    return !words.includes(word) ? false : !(before?.startsWith('-') && isValue(before, word))
  })
}

function hasOptions(wanted: readonly string[], words: readonly Word[]): Truth {
  let result: Truth = 'true'
  for (const option of wanted.flatMap(letters)) {
    if (words.some(word => word.role === 'option' && word.text !== null && isOption(option, word.text))) continue
    if (!words.some(word => word.text === null)) return 'false'
    result = 'unknown'
  }
  return result
}

/** `-rf` is `-r` and `-f`, in any order and any cluster. */
const letters = (option: string): readonly string[] =>
  /^-[a-zA-Z]{2,3}$/.test(option) ? [...option.slice(1)].map(letter => `-${letter}`) : [option]

const isLetter = (option: string) => option.length === 2 && option !== '--'

const isOption = (wanted: string, written: string): boolean =>
  wanted === written ||
  written.startsWith(`${wanted}=`) ||
  (isLetter(wanted) && /^-[a-zA-Z]+$/.test(written) && written.includes(wanted.slice(1)))

/**
 * `at` holds the positions in `wanted` that some reading of the words so far can have reached. A `maybe` word splits the reading
 * in two; a word without known text makes the result unknown. One pass, so linear in words × pattern.
 */
function hasWords(wanted: readonly string[], words: readonly Word[], reading: Quantifier): Truth {
  if (wanted.length === 0) return 'true'
  let at = new Set([0])
  let mixed = false
  for (const word of words) {
    if (word.role === 'option' || word.role === 'value') continue
    if (word.text === null) return at.size > 0 ? 'unknown' : truthOf(false)
    const next = new Set<number>()
    for (const position of at) {
      if (position === wanted.length) next.add(position)
      else if (fits(wanted[position], word.text)) next.add(position + 1)
      else mixed = true
      if (word.role === 'maybe') next.add(position)
    }
    at = next
    if (at.size === 0) return 'false'
    if (reading === 'any' && at.has(wanted.length)) return 'true'
    if (!mixed && at.size === 1 && at.has(wanted.length)) return 'true'
  }
  return reading === 'any' ? 'false' : truthOf(!mixed && at.size === 1 && at.has(wanted.length))
}

const fits = (wanted: string | undefined, word: string): boolean => wanted === '*' || wanted === word

const plain = (text: string): Word => ({ text, role: 'plain' })

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn'])
/** Scripts that have a command of their own: `npm test` is `npm run test`. */
const OWN_COMMAND: ReadonlySet<string> = new Set(['test', 'start', 'stop'])
const RUN: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const TEST: ReadonlySet<string> = new Set(['t', 'tst'])
/** Options without a value. */
const SILENT: ReadonlySet<string> = new Set(['-s', '--silent'])

/** Built-in aliases of subcommands. */
const CARGO: Readonly<Record<string, string>> = { t: 'test', b: 'build', c: 'check', d: 'doc', r: 'run', rm: 'remove' }

const PYTHON = /^python3?$/
/** Modules that are the program of the same name. */
const MODULE = /^(pytest|mypy|ruff|black|isort|flake8|pylint|pyright|coverage|tox|nox|pip)$/
/** Before `-m` Python may run code in place of a module: `python -c pass -m pytest`, `python a.py -m pytest`. */
const mayRunCode = ({ text, role }: Word): boolean =>
  text === null || /^-[a-zA-Z]*c/.test(text) || (role !== 'option' && role !== 'value')

/** May a call of this program be a run of the other one? */
const runsModules = (program: string, other: string): boolean => PYTHON.test(program) && MODULE.test(other)

/** The other spellings of the same command. `name` is the bare name of its program. Empty for most commands. */
function aliasesOf(name: string, words: readonly Word[]): readonly (readonly Word[])[] {
  const [program, ...rest] = words
  if (!program) return []
  const withProgram = (others: readonly (readonly Word[])[]) => others.map(one => [program, ...one])
  if (PACKAGE_MANAGERS.has(name)) return withProgram(scriptAliases(rest))
  if (name === 'cargo') return withProgram(cargoAliases(rest))
  return PYTHON.test(name) ? moduleAliases(program, rest) : []
}

/** `cargo t` is `cargo test`. */
function cargoAliases(words: readonly Word[]): readonly (readonly Word[])[] {
  const at = words.findIndex(({ role }) => role !== 'option' && role !== 'value')
  const verb = words[at]
  const name = verb?.text ?? ''
  const full = Object.hasOwn(CARGO, name) ? CARGO[name] : undefined
  return verb?.role === 'plain' && full !== undefined ? [words.with(at, plain(full))] : []
}

/** `python -m pytest -q` is `pytest -q`, and `.venv/bin/python -m pytest` is `.venv/bin/pytest`. */
function moduleAliases(program: Word, words: readonly Word[]): readonly (readonly Word[])[] {
  const at = words.findIndex(({ text }) => text === '-m')
  const before = words.slice(0, Math.max(at, 0))
  const module = words[at + 1]?.text ?? ''
  if (at < 0 || !MODULE.test(module) || before.some(mayRunCode)) return []
  const text = (program.text ?? '').replace(/[^\\/]*$/, module)
  return [[{ ...program, text }, ...before, ...words.slice(at + 2)]]
}

/** `npm t`, `npm run test` and `npm run-script test` are `npm test`. `words` start after the program. */
function scriptAliases(words: readonly Word[]): readonly (readonly Word[])[] {
  const at = words.findIndex(({ role }) => role !== 'option' && role !== 'value')
  const verb = words[at]
  if (verb?.role !== 'plain' || verb.text === null) return []
  const before = words.slice(0, at)
  if (OWN_COMMAND.has(verb.text) || TEST.has(verb.text)) {
    const script = plain(TEST.has(verb.text) ? 'test' : verb.text)
    const rest = words.slice(at + 1)
    return [
      [...before, plain('run'), script, ...rest],
      [...before, script, ...rest],
    ]
  }
  const script = words.findIndex(({ text }, nth) => nth > at && !SILENT.has(text ?? ''))
  const { text: name, role } = words[script] ?? {}
  // any other option in between may take the name as its value
  if (!RUN.has(verb.text) || typeof name !== 'string' || (role !== 'plain' && (role !== 'maybe' || script === at + 1)))
    return []
  const options = [...before, ...words.slice(at + 1, script)]
  const rest = [plain(name), ...words.slice(script + 1)]
  const named = [...options, plain('run'), ...rest]
  return OWN_COMMAND.has(name) ? [named, [...options, ...rest]] : [named]
}
