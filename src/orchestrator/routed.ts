import { isObject } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'

/**
 * Gates that a decision of the router opens, by `signalbox route --record`. A task that is orchestrated has been routed already, and nobody is
 * let by who could not have opened them with one command.
 */
export const routedGates = ({ gates }: Pick<Policy, 'gates'>): readonly string[] =>
  gates
    .filter(({ transitions, rules }) =>
      transitions.some(
        ({ to, when, capture }) =>
          capture && hasRecord(when) && rules.some(rule => rule.while && !rule.while.includes(to)),
      ),
    )
    .map(({ id }) => id)

/** Somewhere in a condition: `{ program: signalbox, words: [route], options: [--record] }`. */
function hasRecord(condition: unknown): boolean {
  if (Array.isArray(condition)) return condition.some(hasRecord)
  if (!isObject(condition)) return false
  const { program, words, options } = condition
  const isRecord =
    program === 'signalbox' &&
    Array.isArray(words) &&
    words[0] === 'route' &&
    Array.isArray(options) &&
    options.includes('--record')
  return isRecord || Object.values(condition).some(hasRecord)
}
