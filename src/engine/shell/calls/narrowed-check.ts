import { programName, type Word } from '../../match/command.ts'
import { CHECK_PROGRAMS, type CheckProgram, SCRIPT_CHECK } from '../programs/check-programs.ts'
import { type Arg, basename } from './argument.ts'

/** A number, a name or a file below the current folder. Excludes values that may be code, and zero (also `0x0`), which means "none". */
const PLAIN_VALUE = /^(?!0(?:$|[\d_xob]))(?!\.{0,2}\/)(?!.*\.\.)[\w.,:@%][\w.,:+@%/-]*$/i
/** The number of times each test runs. */
const COUNT_OPTION = /^-*count$/
const POSITIVE_NUMBER = /^[1-9]\d*$/
/** The value of these options (reporter, format, logger) may be a file that is run. */
const CODE_VALUE_OPTION = /^-*(reporters?|format|f|logger|l|test-reporter)$/
const PLAIN_NAME = /^\w[\w-]*$/

/**
 * Marks the words with which a check may do less, something else, or nothing: a filter, a file, `--passWithNoTests`,
 * `-DskipTests`, or an option that is not described. Words of other programs stay unmarked.
 */
export function markNarrowingWords(program: string, args: readonly Arg[], words: readonly Word[]): readonly Word[] {
  const name = programName(program)
  const checker = CHECK_PROGRAMS.get(name) ?? CHECK_PROGRAMS.get(name.replace(/(?<=^python)[\d.]+$/, ''))
  if (checker === undefined || !isCheckCommand(checker, args, words)) return words
  const kept = neutralWordPositions(checker, args, words)
  const folders = namesIn(checker.folders)
  return words.map((word, at) => {
    if (kept.has(at)) return word
    // npm accepts any number of dashes
    const option = word.text?.replace(/^-+|=.*$/gs, '') ?? ''
    const isFolder = word.role === 'option' && (folders.has(`-${option}`) || folders.has(`--${option}`))
    return { ...word, narrows: isFolder ? 'folder' : 'run' }
  })
}

function isCheckCommand({ verbs, others }: CheckProgram, args: readonly Arg[], words: readonly Word[]): boolean {
  const first = words.find(({ role }, at) => at > 0 && role === 'plain')?.text ?? ''
  if (namesIn(others).has(first)) return false
  return verbs === undefined || args.some(({ text }, at) => at > 0 && (text === null || namesIn(verbs).has(text)))
}

/** Positions of the words that leave the check complete. The verb is included, because patterns match it by name. */
function neutralWordPositions(
  checker: CheckProgram,
  args: readonly Arg[],
  words: readonly Word[],
): ReadonlySet<number> {
  const kept = new Set([0])
  let now = checker
  // `python -m`, `node --test`: the verb is an option
  let hasVerb = checker.verbs === undefined ? !checker.script : checker.verbs.startsWith('-')
  for (let at = 1; at < args.length; at += 1) {
    const text = args[at]?.text ?? null
    if (text === null) continue
    if (text === '--') {
      kept.add(at)
      if (now.script) now = SCRIPT_CHECK
    } else if (text.startsWith('-') && text !== '-') {
      const size = neutralOptionLength(text, args[at + 1]?.text ?? null, now)
      for (let more = 0; more < size; more += 1) kept.add(at + more)
      at += Math.max(0, size - 1)
    } else if (words[at]?.role === 'value') {
      if (args[at - 1]?.text === '-m') now = CHECK_PROGRAMS.get(text) ?? now
    } else {
      if (now.more?.test(text) || !hasVerb) kept.add(at)
      hasVerb = true
      // behind `npx`, `uv run`, `python -m` follows the actual check program
      now = CHECK_PROGRAMS.get(basename(text)) ?? now
    }
  }
  return kept
}

const namesCache = new Map<string, ReadonlySet<string>>()
function namesIn(list = ''): ReadonlySet<string> {
  const known = namesCache.get(list) ?? new Set(list.split(' ').filter(Boolean))
  namesCache.set(list, known)
  return known
}

/** The number of words the option takes if it leaves the check complete; otherwise 0. */
function neutralOptionLength(
  text: string,
  next: string | null,
  { flags = '', values = '', clusters }: CheckProgram,
): number {
  const isFlag = namesIn(flags)
  const isValue = namesIn(values)
  // go treats one dash and two dashes alike
  if (/^--\w\w/.test(text) && (isFlag.has(text.slice(1)) || isValue.has(text.slice(1).replace(/=.*$/s, ''))))
    return neutralOptionLength(text.slice(1), next, { flags, values })
  if (isValue.has(text) && next !== null && isNeutralValue(text, next)) return 2
  if (isFlag.has(text)) return 1
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  if (equals > 0)
    return (isValue.has(name) || isValue.has(`${name}=`)) && isNeutralValue(name, text.slice(equals + 1)) ? 1 : 0
  if (isValue.has(text.slice(0, 2)) && /^-[a-zA-Z]\d+$/.test(text)) return 1
  const letters = /^-[a-zA-Z]+$/.test(text) ? [...text.slice(1)].map(letter => `-${letter}`) : []
  return clusters && letters.length > 1 && letters.every(letter => isFlag.has(letter)) ? 1 : 0
}

const isNeutralValue = (option: string, value: string): boolean =>
  (COUNT_OPTION.test(option) ? POSITIVE_NUMBER : CODE_VALUE_OPTION.test(option) ? PLAIN_NAME : PLAIN_VALUE).test(value)
