import { READ_ONLY_COMMANDS } from '../programs/read-only/read-only-commands.ts'
import { isDisplayVariable } from '../scope/variable-risk.ts'
import type { Arg } from './argument.ts'
import type { ProgramCall } from './program-call.ts'

/** Questions a program with subcommands can be asked. What is not listed may do more than answer. */
export interface ReadOnlyCommands {
  /** words that ask when nothing else is given: `--version` */
  readonly alone?: string
  /** options that may stand in front of a verb or between its words; `values` take the next word */
  readonly flags?: string
  readonly values?: string
  readonly asks?: readonly ReadOnlyCommand[]
}

interface ReadOnlyCommand {
  /** `ps, image ls`: the words that ask; none, where the options alone say what is done */
  readonly verbs: string
  /** the options that leave it a question */
  readonly options?: string
  /** what else may be said: anything, mere names of files and the like, or nothing */
  readonly words?: 'names' | 'none'
}

/** Nobody asks longer, and every verb looks at every word. */
const MAX_WORDS = 256

/** Variables that the line sets for it, other than for show. */
const hasSettings = ({ assigns, scope }: ProgramCall): boolean =>
  scope.exported || Object.keys(assigns ?? {}).some(name => !isDisplayVariable(name))

/** Scripts around other programs: a variable may name the program, as `GREP` does for `zgrep`, or be an option of it. */
const WRAPPER_SCRIPTS: ReadonlySet<string> = new Set(
  'egrep fgrep zgrep zegrep zfgrep zless zmore zcat zcmp zdiff bzgrep bzegrep bzfgrep bzless bzmore bzcat bzcmp bzdiff xzgrep xzegrep xzfgrep xzless xzmore xzcat xzcmp xzdiff lzgrep lzless lzmore lzcat zstdgrep zstdless zstdcat gunzip which ldd man whatis apropos shasum ack lsb_release'.split(
    ' ',
  ),
)

/** Does a script run that a variable of the line may turn into something else? */
export const isScriptWithSettings = (call: ProgramCall): boolean =>
  WRAPPER_SCRIPTS.has(call.program) && hasSettings(call)

/** Does the program only answer? Every word has to be known for harmless, or to be no option. */
export function isReadOnlyCommand(call: ProgramCall): boolean {
  const { program, args, acts, inner } = call
  const questions = READ_ONLY_COMMANDS.get(program)
  if (questions === undefined || acts.length > 0 || inner.length > 0) return false
  // most of these programs take any option from the environment too
  if (hasSettings(call)) return false
  if (args.length > MAX_WORDS) return false
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

/** What follows the words of the verb; undefined when they are not said. */
function wordsAfterVerb(
  verb: readonly string[],
  words: readonly Arg[],
  questions: ReadOnlyCommands,
): readonly Arg[] | undefined {
  const flags = namesIn(questions.flags)
  const values = namesIn(questions.values)
  let said = 0
  let at = 0
  while (said < verb.length) {
    const text = words[at]?.text ?? null
    if (text === null) return undefined
    if (text === verb[said]) said += 1
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
