import { isObject } from '../../lib/json.ts'
import type { Policy } from '../../policy/index.ts'

/**
 * Gates that a decision of the router opens, by `signalbox route --record`. A task that is orchestrated has been routed already, and nobody is
 * let by who could not have opened them with one command.
 */
export const gatesOpenedByRouting = ({ gates }: Pick<Policy, 'gates'>): readonly string[] =>
  gates
    .filter(({ transitions, rules }) =>
      transitions.some(
        ({ to, when, capture }) =>
          capture && mentionsRouteRecord(when) && rules.some(rule => rule.while && !rule.while.includes(to)),
      ),
    )
    .map(({ id }) => id)

/** Somewhere in a condition: `{ program: signalbox, words: [route], options: [--record] }`. */
function mentionsRouteRecord(condition: unknown): boolean {
  if (Array.isArray(condition)) return condition.some(mentionsRouteRecord)
  if (!isObject(condition)) return false
  const { program, words, options } = condition
  const isRecord =
    program === 'signalbox' &&
    Array.isArray(words) &&
    words[0] === 'route' &&
    Array.isArray(options) &&
    options.includes('--record')
  return isRecord || Object.values(condition).some(mentionsRouteRecord)
}

/** Names of the gates that do not hold back an approved task: lifted, opened by its routing, or with rules that exempt approved calls. */
export function gatesPassedByTask({ gates }: Pick<Policy, 'gates'>, lifted: readonly string[]): readonly string[] {
  const yields = gates.filter(({ id, yields }) => yields && lifted.includes(id))
  const exempting = gates.filter(({ rules }) => rules.some(({ unless }) => exemptsApproved(unless)))
  return [...new Set(gates.filter(one => yields.includes(one) || exempting.includes(one)).map(({ name }) => name))]
}

/** `approved: true` is enough for it, whatever else is so. */
function exemptsApproved(condition: unknown): boolean {
  if (!isObject(condition)) return false
  if (Array.isArray(condition.any)) return condition.any.some(exemptsApproved)
  if (Array.isArray(condition.all)) return condition.all.length > 0 && condition.all.every(exemptsApproved)
  return condition.key === 'approved' && condition.is === true
}
