import type { Arg } from '../calls/argument.ts'
import type { ProgramCall } from '../calls/program-call.ts'

/**
 * Builtins of bash, dash and zsh. A word that a file or a command wrote may be an option to one, the name of a variable with an
 * index, or a sum; and what is in an index runs. So it is said for each which of its words may be such text: for those that are
 * not named below, none.
 */
const EVALUATING_BUILTINS: ReadonlySet<string> = new Set(
  'alias autoload bind bindkey break bye compadd compgen complete compopt continue declare disable echotc echoti emulate enable exit export fc float functions getln getopts hash history integer jobs let limit local logout mapfile print printf private pushln r read readarray readonly rehash return sched set setopt shift shopt source suspend test [ trap ttyctl typeset ulimit unalias unfunction unhash unlimit unset unsetopt vared wait zcompile zformat zle zmodload zparseopts zprof zpty zregexparse zselect zsocket zstyle ztcp . sysread syswrite sysopen sysseek strftime zstat zsystem'.split(
    ' ',
  ),
)

type ArgList = readonly Arg[]

/** Words of these that may be evaluated, or change how others are read. */
const EVALUATED_WORDS: Readonly<Record<string, (words: ArgList) => ArgList>> = {
  // the rest is what is searched for options, and put into a variable as it is
  getopts: words => words.slice(0, 2),
  set: wordsBeforeOperands,
  printf: words => (isTextOnlyFormat(words[words[0]?.text === '--' ? 1 : 0]) ? [] : words),
  test: operandsOfOperators,
  '[': operandsOfOperators,
  ...Object.fromEntries(
    'export readonly declare typeset local integer float private'.split(' ').map(name => [name, nameWords]),
  ),
}

/** `A="$(cat f)"` gives a value; in no quotes, it may be several words where it is no assignment to the shell. */
function nameWords(words: ArgList): ArgList {
  return words.filter(({ head, several }) => several || !/^[A-Za-z_]\w*\+?=/.test(head))
}

/** Behind `--`, or the first word that is no option, all are mere text. */
function wordsBeforeOperands(words: ArgList): ArgList {
  const end = words.findIndex(({ text, glob }) => text !== null && !glob && (text === '--' || !/^[-+]./.test(text)))
  const takesName = /^[-+]\w*[oA]$/.test(words[end - 1]?.text ?? '')
  return end === -1 || takesName ? words : words.slice(0, end)
}

/** What is left of a format without what prints text. */
const TEXT_DIRECTIVES = /%%|%[-+ #0'\d.]*[sbqc]/g

/** A format with which every word is printed as it is; to zsh any other may be a sum. */
export const isTextOnlyFormat = (format: Arg | undefined): boolean =>
  format !== undefined &&
  format.text !== null &&
  !format.glob &&
  !format.text.startsWith('-') &&
  !format.text.replace(TEXT_DIRECTIVES, '').includes('%')

/** A wildcard; `^a`, `a#` and `a~b` are to a zsh with `extendedglob`. */
const isWildcardWord = ({ text, glob }: Arg): boolean => glob || (text !== null && /\^|^.+[~#]/s.test(text))

/** Operators whose operand is a name or, to zsh, a sum. */
const NAME_OPERATORS = ['-v', '-R', '-t']

const mayBeNameOperator = ({ text, head, glob }: Arg): boolean => {
  if (text !== null && !glob) return NAME_OPERATORS.includes(text) || /^[\^#~-]+$/.test(text)
  const start = glob ? head.replace(/[*?[].*$/s, '') : head
  const end = glob ? head.replace(/^.*[*?\]]/s, '') : ''
  return NAME_OPERATORS.some(operator => operator.startsWith(start) && operator.endsWith(end))
}

/** `[ -v word ]`, `[ word word ]`; one that may be several words may be the operator and its operand. */
function operandsOfOperators(words: ArgList): ArgList {
  return words.filter((word, at) => {
    if (word.several || (isWildcardWord(word) && mayBeNameOperator(word))) return true
    const before = words[at - 1]
    return before !== undefined && mayBeNameOperator(before)
  })
}

/** Whether text that nobody can read may be evaluated by the builtin. */
export function mayEvaluateTainted({ program, args }: ProgramCall): boolean {
  if (!EVALUATING_BUILTINS.has(program)) return false
  const words = args.slice(1)
  const evaluated = EVALUATED_WORDS[program]?.(words) ?? words
  return evaluated.some(word => isWildcardWord(word) || (word.text === null && word.foggy === true))
}
