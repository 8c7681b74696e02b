import type { CommandNode, Redirection } from 'unbash'
import type { PathRef } from '../../match/path-ref.ts'
import type { Assignments } from '../calls/argument.ts'
import type { highestRisk } from '../scope/variable-risk.ts'

/** Where a command stands in the line, and how its exit status affects the line's. */
export interface PipelinePosition {
  /** success of the line implies success of this command */
  readonly implied: boolean
  /** the line's exit status is this command's */
  readonly decides: boolean
  /** with `set -e`, a failure of this command ends the line */
  readonly strict: boolean
  /** standard input: its text, null if unknown, undefined if not redirected */
  readonly stdin?: string | null
  /** the same text for what is written to a file: with marks for parts that are not known */
  readonly input?: string | undefined
  /** standard input is this file */
  readonly inputFile?: PathRef | undefined
  /** standard input comes from a fetch, maybe through other commands */
  readonly fetched?: boolean
  /** so does the output of a command in the words */
  readonly words?: boolean
  /** the input comes from another command, whose output may differ from `stdin` */
  readonly piped?: boolean
}

export const STATUS_IGNORED: PipelinePosition = { implied: false, decides: false, strict: false }
export const WHOLE_LINE: PipelinePosition = { implied: true, decides: true, strict: true }

/** The same position, with an exit status that does not affect the line. */
export const withoutStatus = (spot: PipelinePosition): PipelinePosition =>
  spot.stdin === undefined && !spot.words ? STATUS_IGNORED : { ...spot, implied: false, decides: false, strict: false }

/** Programs that print every line they read, or some of them, whatever is in it. */
const PASSING_PROGRAMS = new Set('sort tac uniq cat head tail tr shuf tee cut rev nl'.split(' '))
const WORD_TAKERS = new Set(['xargs', 'gxargs', 'parallel'])

/** True if the lines that reach the first of these commands become words of a command. `otherwise`: what holds behind the last. */
export function isPassedOn(commands: readonly CommandNode[], otherwise: boolean, line: string): boolean {
  const at = commands.findIndex(command => !isPassing(command))
  const passing = at === -1 ? commands : commands.slice(0, at)
  if (passing.some(command => storesList(command, line))) return true
  const next = commands[at]
  if (next === undefined) return otherwise
  if (isReadByShell(commands)) return true
  return next.type !== 'Command' || wordsOf(next).some(word => WORD_TAKERS.has(word))
}

function isPassing(command: CommandNode): boolean {
  const [program = '', ...words] = wordsOf(command)
  // `grep -v x` leaves out what it names, and passes all else
  if (program === 'sed') return !words.some(word => /^-\w*n/.test(word)) && words.some(word => /^s\W/.test(word))
  if (/^[gmn]?awk$/.test(program)) return words.some(word => /^\s*\{/.test(word))
  return PASSING_PROGRAMS.has(program) || (program === 'grep' && words.some(word => /^-\w*v|^--inv/.test(word)))
}

/** `ls -A | sed 's/^/rm /' | sh`: the lines become code, and nothing in between chooses among them. */
function isReadByShell(commands: readonly CommandNode[]): boolean {
  const at = commands.findIndex(command => SHELLS.has(wordsOf(command)[0] ?? ''))
  return (
    at !== -1 && !commands.slice(0, at).some(command => !isPassing(command) && CHOOSING.test(wordsOf(command)[0] ?? ''))
  )
}

const SHELLS = new Set('sh bash dash zsh ksh ash mksh sudo'.split(' '))
const CHOOSING = /^([ef]?grep|rg|ag|ack|fzf)$/

/** `ls -A | tee list`, `ls -A | sort > list`: the list goes to a file that the line names again. */
const storesList = (command: CommandNode, line: string): boolean => {
  const [program, ...words] = wordsOf(command)
  const own = command.type === 'Command' ? command.redirects : []
  return isOutputFileNamedAgain(own, line) || (program === 'tee' && words.some(word => isNamedAgain(word, line)))
}

/** True if a redirection writes the output to a file that the line names again: `ls -A > list; xargs rm < list`. */
export const isOutputFileNamedAgain = (redirects: readonly Redirection[], line: string): boolean =>
  redirects.some(
    redirect =>
      redirect.type === 'Redirect' && /^&?>/.test(redirect.operator) && isNamedAgain(redirect.target?.text ?? '', line),
  )

function isNamedAgain(word: string, line: string): boolean {
  const name = word.replace(/["']/g, '').replace(/^.*\//, '')
  return name !== '' && name !== 'null' && line.indexOf(name) !== line.lastIndexOf(name)
}

const wordsOf = (command: CommandNode): readonly string[] =>
  command.type !== 'Command'
    ? []
    : [command.name, ...command.suffix].flatMap(item => (item?.type === 'Word' ? [item.value] : []))

/** What else is known of a command when its `run` action is made. */
export interface RunContext {
  readonly assigns: Assignments | undefined
  readonly risk: ReturnType<typeof highestRisk>
  readonly proven: boolean
  readonly spot: PipelinePosition
}
