import { actsOf, type Gate, type Rule } from '../core/index.ts'
import { helping } from './cone.ts'
import { type Deed, isRefusal, refusable } from './deed.ts'
import { type Oracle, TRUE, UNKNOWN } from './possible.ts'
import type { View } from './view.ts'

interface Asked {
  readonly oracle: Oracle
  readonly view: View
}

/** Does the rule keep silent about the deed once a gate is open? All else that it may refuse is not the gate's matter. */
export const waitsForOpen = (rule: Rule, gate: Gate, deed: Deed, asked: Asked): boolean =>
  (isShut(rule, gate) || speaksOfShut(rule)) && !isAlwaysRefused(rule, gate, deed, asked)

const isShut = (rule: Rule, gate: Gate): boolean => rule.while === 'closed' && gate.initial !== undefined

const speaksOfShut = ({ when, unless }: Rule): boolean =>
  [...helping(when, false), ...(unless ? helping(unless, true) : [])].some(([, state]) => state === 'open')

/** Of all that a rule says, act by act, something may depend on no state: `any: [{ command: rm }, { gate: { tests: closed } }]`. */
function isAlwaysRefused(rule: Rule, gate: Gate, deed: Deed, { oracle, view }: Asked): boolean {
  if ((rule.while !== undefined && gate.initial !== undefined) || rule.limit !== undefined) return false
  const { approved } = deed.call ?? {}
  return refusable(deed).some(event => {
    const refusing = [
      ...(isRefusal(rule.then, event.kind, view) ? [TRUE] : []),
      ...(isRefusal(rule.unsure, event.kind, view) ? [UNKNOWN] : []),
    ]
    if (!rule.events.includes(event.kind)) return false
    return actsOf(event).some(
      act =>
        refusing.includes(oracle.answers(rule.when, act, event, 'any', approved)) &&
        !(rule.unless && (oracle.answers(rule.unless, act, event, 'all', approved) & TRUE) !== 0),
    )
  })
}
