import type { Arg } from '../../calls/argument.ts'
import type { ProgramCall } from '../../calls/program-call.ts'
import { READ_ONLY_COMMANDS } from './read-only-commands.ts'
import type { ReadOnlyCommand, ReadOnlyCommands } from './read-only-spec.ts'

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
  const alone = namesIn(questions.alone)
  if (words.length > 0 && words.every(({ text }) => text !== null && alone.has(text))) return true
  return questions.asks?.some(question => isMatchingCommand(question, words, questions)) === true
}

function isMatchingCommand(
  { verbs, options, words: kind }: ReadOnlyCommand,
  words: readonly Arg[],
  questions: ReadOnlyCommands,
): boolean {
  const harmless = namesIn(options)
  return verbs.split(', ').some(verb => {
    const rest = wordsAfterVerb(verb === '' ? [] : verb.split(' '), words, questions)
    return rest?.every(arg => isHarmlessWord(arg, harmless) && (kind === undefined || isWordOfKind(kind, arg))) === true
  })
}

/** The words after the verb; undefined if the verb does not match. */
function wordsAfterVerb(
  verb: readonly string[],
  words: readonly Arg[],
  questions: ReadOnlyCommands,
): readonly Arg[] | undefined {
  const flags = namesIn(questions.flags)
  const values = namesIn(questions.values)
  let matched = 0
  let at = 0
  while (matched < verb.length) {
    const text = words[at]?.text ?? null
    if (text === null) return undefined
    if (verb[matched]?.split('|').includes(text)) matched += 1
    else if (values.has(text)) at += 1
    else if (!flags.has(text) && !values.has(optionNameOf(text))) return undefined
    at += 1
  }
  return words.slice(at)
}

const isWordOfKind = (kind: 'names' | 'none', { text }: Arg): boolean =>
  text !== null && (/^-./.test(text) || (kind === 'names' && /^[\w./~@:,+=-]+$/.test(text)))

function isHarmlessWord({ text, head, loose }: Arg, options: ReadonlySet<string>): boolean {
  if (text === null) return !loose && !head.startsWith('-')
  if (!text.startsWith('-') || text === '-') return true
  if (options.has(optionNameOf(text)) || options.has(text)) return true
  if (/^-[a-zA-Z]\d+$/.test(text)) return options.has(text.slice(0, 2))
  return /^-[a-zA-Z]{2,}$/.test(text) && [...text.slice(1)].every(letter => options.has(`-${letter}`))
}

const optionNameOf = (option: string): string => (option.startsWith('-') ? option.replace(/=.*$/s, '') : option)

const namesCache = new Map<string, ReadonlySet<string>>()

function namesIn(list = ''): ReadonlySet<string> {
  const known = namesCache.get(list) ?? new Set(list.split(' ').filter(Boolean))
  namesCache.set(list, known)
  return known
}
