import type { Arg } from '../../calls/argument.ts'
import type { ProgramCall } from '../../calls/program-call.ts'
import { READ_ONLY_COMMANDS } from './read-only-commands.ts'
import type { ReadOnlyCommand, ReadOnlyCommands, WordKind } from './read-only-spec.ts'

/** Longer commands are not checked: real queries are short, and each verb checks every word. */
const MAX_WORDS = 256

/**
 * True if the call is one of the program's read-only commands. Every word must be known as harmless, or must not be an
 * option.
 */
export function isReadOnlyCommand({ program, args }: ProgramCall): boolean {
  const questions = READ_ONLY_COMMANDS.get(program)
  if (questions === undefined || args.length > MAX_WORDS) return false
  const words = args.slice(1)
  if (questions.special?.(words) === true) return true
  const alone = namesIn(questions.alone)
  if (words.length > 0 && words.every(({ text }) => text !== null && alone.has(text))) return true
  return questions.asks?.some(question => isMatchingCommand(question, words, questions)) === true
}

function isMatchingCommand(command: ReadOnlyCommand, words: readonly Arg[], questions: ReadOnlyCommands): boolean {
  const { verbs, values, words: kind } = command
  const taking = namesIn(values)
  return verbs.split(', ').some(verb => {
    const rest = wordsAfterVerb(verb === '' ? [] : verb.split(' '), words, questions, command)
    return rest?.every((arg, at) => {
      const isValue = taking.has(rest[at - 1]?.text ?? '')
      // `-a -u x`: is `x` the value of `-u`, or is `-u` the one of `-a`?
      if (isValue && arg.head.startsWith('-')) return false
      return isHarmlessWord(arg, command, taking) && (kind === undefined || isValue || isWordOfKind(kind, arg))
    })
  })
}

/** The words after the verb; undefined if the verb does not match. */
function wordsAfterVerb(
  verb: readonly string[],
  words: readonly Arg[],
  questions: ReadOnlyCommands,
  command: ReadOnlyCommand,
): readonly Arg[] | undefined {
  const flags = namesIn(questions.flags)
  const values = namesIn(questions.values)
  const groups = namesIn(command.groups)
  const except = namesIn(command.except)
  let matched = 0
  let at = 0
  while (matched < verb.length) {
    const text = words[at]?.text ?? null
    if (text === null) return undefined
    if (isWordOfVerb(verb[matched] ?? '', text, except)) matched += 1
    else if (values.has(text)) at += 1
    else if (!flags.has(text) && !values.has(optionNameOf(text)) && (matched > 0 || !groups.has(text))) return undefined
    at += 1
  }
  return words.slice(at)
}

const isWordOfVerb = (allowed: string, text: string, except: ReadonlySet<string>): boolean =>
  allowed
    .split('|')
    .some(one =>
      one.endsWith('*')
        ? /^[a-z][a-z\d-]*$/.test(text) && text.startsWith(one.slice(0, -1)) && !except.has(text)
        : one === text,
    )

const WORD_OF_KIND = { names: /^[\w./~@:,+=-]+$/, plain: /^[\w./~:,+-]+$/, none: /^-./ }

const isWordOfKind = (kind: WordKind, { text }: Arg): boolean =>
  text !== null && (/^-./.test(text) || WORD_OF_KIND[kind].test(text))

function isHarmlessWord(
  { text, head, loose, glob }: Arg,
  { options, harmful }: ReadOnlyCommand,
  taking: ReadonlySet<string>,
): boolean {
  const harmless = namesIn(options)
  if (harmful !== undefined && (text === null || !text.startsWith('-') || text.startsWith('--')))
    return text !== null && !isHarmful(text, harmful)
  // a file may have the name of an option
  if (glob && /^[^\w./~]/.test(head)) return false
  if (text === null) return !loose && !head.startsWith('-')
  if (!text.startsWith('-') || text === '-') return true
  const name = optionNameOf(text)
  if (harmless.has(name) || harmless.has(text) || taking.has(name)) return true
  if (/^-[a-zA-Z]\d+$/.test(text)) return harmless.has(text.slice(0, 2))
  return /^-[a-zA-Z]{2,}$/.test(text) && [...text.slice(1)].every(letter => harmless.has(`-${letter}`))
}

/** An option may be abbreviated. `@file` and `file://` name files that the program sends, or reads its options from. */
function isHarmful(text: string, harmful: string): boolean {
  const name = optionNameOf(text)
  if (name.startsWith('--') && [...namesIn(harmful)].some(one => one.startsWith(name))) return true
  return /(?:^|=)(?:@|fileb?:)/i.test(text)
}

const optionNameOf = (option: string): string => (option.startsWith('-') ? option.replace(/=.*$/s, '') : option)

const namesCache = new Map<string, ReadonlySet<string>>()

function namesIn(list = ''): ReadonlySet<string> {
  const known = namesCache.get(list) ?? new Set(list.split(' ').filter(Boolean))
  namesCache.set(list, known)
  return known
}
