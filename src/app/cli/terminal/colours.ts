import pc from 'picocolors'
import type { Terminal } from '../command.ts'

/** Decides whether to colour: in a window, unless NO_COLOR is set; elsewhere only with FORCE_COLOR. */
export function coloursOf({ env, window }: Terminal): ReturnType<typeof pc.createColors> {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0'
  const isWindow = window?.out === true && env.TERM !== 'dumb'
  return pc.createColors(!env.NO_COLOR && (isForced || isWindow))
}

const FAILURE_WORDS = 'FAIL|ERROR|BROKEN|STUCK|DEADLOCK|CANNOT END'
const WARNING_WORDS = 'NOT PROVEN|NOT CERTAIN|NOT CHECKED|MISLEADING|NO GUIDANCE|UNREACHABLE|SHADOWED'

/** Colours the verdict word at the start of a line: red for failures, yellow for what is not proven, green for OK. */
export function colourVerdicts(text: string, terminal: Terminal): string {
  const { green, red, yellow } = coloursOf(terminal)
  const words = new RegExp(`^(?:(OK)|(${WARNING_WORDS})|${FAILURE_WORDS})(?= {2})`, 'gm')
  return text.replace(words, (word, isFine, isAmber) => (isFine ? green(word) : isAmber ? yellow(word) : red(word)))
}
