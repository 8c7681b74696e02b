import { isObject } from '../../lib/json.ts'
import type { Policy } from '../../policy/index.ts'

/**
 * Gates that `signalbox route --record` opens. An orchestrated task has already been routed, so these gates let it pass.
 * The agent could have opened them with one command anyway.
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

/** Whether a condition contains `{ program: signalbox, words: [route], options: [--record] }`. */
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

/** Names of the gates that let an approved task pass: lifted, opened by routing, or with rules that exempt approved calls. */
export function gatesPassedByTask({ gates }: Pick<Policy, 'gates'>, bypassed: readonly string[]): readonly string[] {
  const yields = gates.filter(({ id, yields }) => yields && bypassed.includes(id))
  const exempting = gates.filter(({ rules }) => rules.some(({ unless }) => exemptsApproved(unless)))
  return [...new Set(gates.filter(gate => yields.includes(gate) || exempting.includes(gate)).map(({ name }) => name))]
}

/** Whether `approved: true` alone makes the condition match. */
function exemptsApproved(condition: unknown): boolean {
  if (!isObject(condition)) return false
  if (Array.isArray(condition.any)) return condition.any.some(exemptsApproved)
  if (Array.isArray(condition.all)) return condition.all.length > 0 && condition.all.every(exemptsApproved)
  return condition.key === 'approved' && condition.is === true
}
