import pc from 'picocolors'
import type { Terminal } from './command.ts'

/** The one place where it is decided: in a window, unless NO_COLOR says no; elsewhere if FORCE_COLOR says so. */
export function coloursOf({ env, window }: Terminal): ReturnType<typeof pc.createColors> {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0'
  const isWindow = window?.out === true && env.TERM !== 'dumb'
  return pc.createColors(!env.NO_COLOR && (isForced || isWindow))
}

/** How it went, where a line begins with that. */
export function painted(text: string, terminal: Terminal): string {
  const { green, red } = coloursOf(terminal)
  return text.replace(/^(?:(OK)|FAIL|ERROR|BROKEN)(?= {2})/gm, (word, isFine) => (isFine ? green(word) : red(word)))
}
