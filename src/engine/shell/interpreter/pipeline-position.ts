import type { CommandNode } from 'unbash'

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
  /** the input comes from another command, whose output may differ from `stdin` */
  readonly piped?: boolean
}

export const STATUS_IGNORED: PipelinePosition = { implied: false, decides: false, strict: false }
export const WHOLE_LINE: PipelinePosition = { implied: true, decides: true, strict: true }

/** The same position, with an exit status that does not affect the line. */
export const withoutStatus = (spot: PipelinePosition): PipelinePosition =>
  spot.stdin === undefined ? STATUS_IGNORED : { ...spot, implied: false, decides: false, strict: false }

/** Programs that print every line they read, or some of them, whatever is in it. */
const PASSING_PROGRAMS = new Set('sort tac uniq cat head tail tr shuf tee'.split(' '))
const WORD_TAKERS = new Set(['xargs', 'gxargs', 'parallel'])

/** True if the lines that reach the first of these commands become words of a command. `otherwise`: what holds behind the last. */
export function isPassedOn(commands: readonly CommandNode[], otherwise: boolean): boolean {
  const next = commands.find(command => !isPassing(command))
  if (next === undefined) return otherwise
  return next.type !== 'Command' || wordsOf(next).some(word => WORD_TAKERS.has(word))
}

function isPassing(command: CommandNode): boolean {
  const [program = '', ...words] = wordsOf(command)
  // `grep -v x` leaves out what it names, and passes all else
  return PASSING_PROGRAMS.has(program) || (program === 'grep' && words.some(word => /^-\w*v|^--inv/.test(word)))
}

const wordsOf = (command: CommandNode): readonly string[] =>
  command.type !== 'Command'
    ? []
    : [command.name, ...command.suffix].flatMap(item => (item?.type === 'Word' ? [item.value] : []))
