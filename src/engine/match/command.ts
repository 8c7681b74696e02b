import { aliasesOf, runsModules, type Word } from './command-words.ts'
import { fitsStars } from './text.ts'
import { type Quantifier, someTruth, type Truth, truthOf } from './three-valued.ts'

/** `git commit --amend`: the program by basename, leading words, options anywhere. `*` is any characters in one word. */
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

const PYTHON = /^python3?$/
/** Programs whose commands can be written in several ways. */
const HAS_ALIASES = /^(npm|pnpm|yarn|cargo|python3?)$/

/**
 * Does the pattern name another program, whatever its words are? `name` is a bare program name. `python -m pytest` may be any program that
 * is a module too.
 */
export const isOtherProgram = (matcher: CommandMatcher, name: string): boolean =>
  'program' in matcher &&
  matcher.program !== name &&
  matcher.program !== '*' &&
  !matcher.program.includes('{') &&
  (matcher.program.includes('*')
    ? !fitsStars(matcher.program, name) && !PYTHON.test(name)
    : !(PYTHON.test(name) && runsModules(matcher.program)))

export const matchCommands = (wanted: readonly CommandMatcher[], command: SimpleCommand, how: How): Truth => {
  const program = command.words[0]?.text
  const name = typeof program === 'string' ? programName(program) : undefined
  return someTruth(wanted, matcher => {
    if (name !== undefined && isOtherProgram(matcher, name)) return 'false'
    if ('reading' in matcher) return truthOf(command.onlyReads === true)
    const matched = matchCommand(matcher, command, how)
    if (matched === 'true' || name === undefined || matcher.words.includes('*') || how.asWritten) return matched
    // other spellings of the same run
    if (!HAS_ALIASES.test(name)) return matched
    return someTruth([command.words, ...aliasesOf(name, command.words)], words =>
      matchCommand(matcher, { ...command, words }, how),
    )
  })
}

function matchCommand(pattern: CommandPattern, { words, altered }: SimpleCommand, { reading, fill }: How): Truth {
  const [program] = words
  if (!program) return 'false'
  if (program.text === null) return 'unknown'
  if (!isProgram(pattern, program.text, fill)) return 'false'
  const rest = words.slice(1)
  if (reading === 'all' && (altered || !(isSystemProgram(program.text) || isProgramAsWritten(pattern, program.text))))
    return 'false'
  const options = hasOptions(pattern.options, rest)
  if (options === 'false') return 'false'
  // `npm test $X` may be `npm test --prefix=/elsewhere`
  if (reading === 'all' && rest.some(word => word.free)) return 'unknown'
  const wanted = wordsOf(pattern, rest)
  if (reading === 'all' && pattern.whole && isNarrowed(pattern, wanted.length, rest)) return 'false'
  const leading = hasWords(wanted, rest, reading, fill)
  return leading === 'true' ? options : leading
}

/** By basename; a pattern with `*` in a folder (`scripts/*`) is compared with the whole path, as it is written. */
const isProgram = ({ program, path }: CommandPattern, written: string, fill: How['fill']): boolean =>
  fitsStars(program, programName(written), fill) &&
  (!path?.includes('*') || fitsStars(withoutDot(path), withoutDot(written)))

const withoutDot = (path: string): string => path.replace(/^(\.\/+)+/, '')

const isProgramAsWritten = ({ path }: CommandPattern, written: string): boolean =>
  path !== undefined && fitsStars(path, written) && !(path.includes('*') && written.includes('..'))

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
    return !(
      options.some(option => fitsStars(option, text)) ||
      typed.some((word, nth) => fitsStars(word, text) && typed[nth - 1] === before)
    )
  })
}

/** The pattern's words, without words that are the value of the option before them in this call: `python -m pytest`. */
function wordsOf({ words, typed }: CommandPattern, given: readonly Word[]): readonly string[] {
  if (!typed) return words
  const isValue = (option: string, value: string): boolean =>
    given.some(({ role, text }, at) => {
      const next = given[at + 1]
      return role === 'option' && text === option && next?.role !== 'plain' && fitsStars(value, next?.text ?? '')
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
  fitsStars(wanted, written) ||
  written.startsWith(`${wanted}=`) ||
  (isLetter(wanted) && /^-[a-zA-Z]+$/.test(written) && written.includes(wanted.slice(1)))

/**
 * `at` holds the positions in `wanted` that some reading of the words so far can have reached. A `maybe` word splits the reading
 * in two; a word without known text makes the result unknown. One pass, so linear in words × pattern.
 */
function hasWords(wanted: readonly string[], words: readonly Word[], reading: Quantifier, fill: How['fill']): Truth {
  if (wanted.length === 0) return 'true'
  let at = new Set([0])
  let mixed = false
  for (const word of words) {
    if (word.role === 'option' || word.role === 'value') continue
    if (word.text === null) return at.size > 0 ? 'unknown' : truthOf(false)
    const next = new Set<number>()
    for (const position of at) {
      if (position === wanted.length) next.add(position)
      else if (fitsStars(wanted[position] ?? '', word.text, fill)) next.add(position + 1)
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
