import type { Arg } from '../calls/argument.ts'
import { addOpaqueAction, forNames, type ProgramCall } from '../calls/program-call.ts'
import { isZshTable, isZshTableEntry, mayHideCode } from '../scope/variable-risk.ts'

/**
 * Builtins of bash, dash and zsh that may evaluate their words. A word from a file or a command may be an option, a variable name
 * with an index, or arithmetic, and code in an index runs. EVALUATED_WORDS narrows down which words count; for the other builtins
 * in this set every word counts. Builtins outside the set evaluate no words.
 */
export const EVALUATING_BUILTINS: ReadonlySet<string> = new Set(
  'alias autoload bind bindkey break bye compadd compgen complete compopt continue declare disable echotc echoti emulate enable exit export fc float functions getln getopts hash history integer jobs let limit local logout mapfile print printf private pushln r read readarray readonly rehash return sched set setopt shift shopt source suspend test [ trap ttyctl typeset ulimit unalias unfunction unhash unlimit unset unsetopt vared wait zcompile zformat zle zmodload zparseopts zprof zpty zregexparse zselect zsocket zstyle ztcp . sysread syswrite sysopen sysseek strftime zstat zsystem'.split(
    ' ',
  ),
)

type ArgList = readonly Arg[]

/** For some builtins: the words that may be evaluated, or that change how other words are read. */
const EVALUATED_WORDS: Readonly<Record<string, (words: ArgList) => ArgList>> = {
  // the other words are parsed for options and stored in a variable unchanged
  getopts: words => words.slice(0, 2),
  set: wordsBeforeOperands,
  printf: words => (isTextOnlyFormat(words[words[0]?.text === '--' ? 1 : 0]) ? [] : words),
  test: operandsOfOperators,
  '[': operandsOfOperators,
  ...forNames('export readonly declare typeset local integer float private', nameWords),
}

/** `A="$(cat f)"` only sets a value. Unquoted, it may become several words if the shell does not treat it as an assignment. */
function nameWords(words: ArgList): ArgList {
  return words.filter(({ head, several }) => several || !/^[A-Za-z_]\w*\+?=/.test(head))
}

/** All words behind `--`, or behind the first word that is not an option, are plain text. */
function wordsBeforeOperands(words: ArgList): ArgList {
  const end = words.findIndex(({ text, glob }) => text !== null && !glob && (text === '--' || !/^[-+]./.test(text)))
  const takesName = /^[-+]\w*[oA]$/.test(words[end - 1]?.text ?? '')
  return end === -1 || takesName ? words : words.slice(0, end)
}

/** Format directives that print text. */
const TEXT_DIRECTIVES = /%%|%[-+ #0'\d.]*[sbqc]/g

/** True if the format prints every word as text. With other directives zsh may evaluate a word as arithmetic. */
export const isTextOnlyFormat = (format: Arg | undefined): boolean =>
  format !== undefined &&
  format.text !== null &&
  !format.glob &&
  !format.text.startsWith('-') &&
  !format.text.replace(TEXT_DIRECTIVES, '').includes('%')

/** True for wildcards. In zsh with `extendedglob`, `^a`, `a#` and `a~b` are wildcards too. */
const isWildcardWord = ({ text, known, head, glob }: Arg): boolean =>
  glob || (text === null ? /[\^~#]/.test(known ?? head) : /\^|^.+[~#]/s.test(text))

/** Operators whose operand is a name or, in zsh, arithmetic. */
const NAME_OPERATORS = ['-v', '-R', '-t']

const mayBeNameOperator = ({ text, head, glob }: Arg): boolean => {
  if (text !== null && !glob) return NAME_OPERATORS.includes(text) || /^[\^#~-]+$/.test(text)
  const start = glob ? head.replace(/[*?[].*$/s, '') : head
  const end = glob ? head.replace(/^.*[*?\]]/s, '') : ''
  return NAME_OPERATORS.some(operator => operator.startsWith(start) && operator.endsWith(end))
}

/** `[ -v word ]`, `[ word word ]`. A word that may become several may be both the operator and its operand. */
function operandsOfOperators(words: ArgList): ArgList {
  return words.filter((word, at) => {
    if (word.several || (isWildcardWord(word) && mayBeNameOperator(word))) return true
    const before = words[at - 1]
    return before !== undefined && mayBeNameOperator(before)
  })
}

/** `read 'functions[f]'`, `set -A functions f code`: zsh stores the value where it defines what a name means. */
function mayFillTable(program: string, words: ArgList): boolean {
  if (program === 'test' || program === '[') return false
  if (words.some(isZshTableEntry)) return true
  const isList =
    !/^(declare|typeset|local|export|readonly)$/.test(program) && words.some(({ head }) => /^[-+]\w*[aAH]/.test(head))
  return isList && words.some(({ text }) => isZshTable(text ?? ''))
}

/** True if one of EVALUATING_BUILTINS may evaluate text that cannot be read. */
export function mayEvaluateTainted({ program, args }: ProgramCall): boolean {
  const words = args.slice(1)
  if (mayFillTable(program, words)) return true
  const evaluated = EVALUATED_WORDS[program]?.(words) ?? words
  return evaluated.some(word => isWildcardWord(word) || (word.text === null && word.tainted === true))
}

/** Hidden code that is put together from pieces, so the check of the raw line did not find it. */
export function runHiddenCode(call: ProgramCall): void {
  const { scope, args, assigns = {} } = call
  if (scope.tainted) return
  if (!args.some(({ text }) => hasHiddenCode(text)) && !Object.values(assigns).some(hasHiddenCode)) return
  addOpaqueAction(call)
  scope.tainted = true
}

const hasHiddenCode = (text: string | null): boolean => text?.includes('[') === true && mayHideCode(text)
