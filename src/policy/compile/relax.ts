import { MODES, type Mode, type RouteTable, type Text } from '../../core/index.ts'
import type { WordsDoc } from '../schema/gate.ts'
import type { Context, Key } from './context.ts'
import type { Draft } from './gate.ts'
import { indexRoutes } from './route-index.ts'
import { namedParts } from './rule.ts'
import { compileText } from './text.ts'

/** What `off` and `messages` can name in a gate. */
export const idsIn = ({ gate }: Draft): readonly string[] => [
  ...gate.rules.map(rule => rule.id),
  ...gate.transitions.map(transition => transition.id),
  ...(gate.routes?.list ?? []).map(route => route.id),
]

export const isWeakerMode = (a: Mode, b: Mode): boolean => MODES.indexOf(a) < MODES.indexOf(b)

/** Without the rules, routes and transitions of these ids. */
export function without(draft: Draft, ids: readonly string[]): Draft {
  const keep = (one: { readonly id: string }): boolean => !ids.includes(one.id)
  const { gate } = draft
  return {
    ...draft,
    gate: {
      ...gate,
      rules: gate.rules.filter(keep),
      transitions: gate.transitions.filter(keep),
      ...(gate.routes ? { routes: withRoutes(gate.routes.list.filter(keep)) } : {}),
    },
  }
}

const withRoutes = (list: RouteTable['list']): RouteTable => ({ list, index: indexRoutes(list).index })

/** With another message for the rule, route or transition of this id. File names are relative to who rewords. */
export function reworded(context: Context, draft: Draft, holder: object, key: Key, words: WordsDoc): Draft {
  const { gate } = draft
  const speaking: Context = { ...context, unit: { ...context.unit, options: draft.options } }
  const reword = <T extends { readonly id: string; readonly when: Parameters<typeof namedParts>[0] }>(
    one: T,
  ): T & { message?: Text } => {
    if (one.id !== key) return one
    const speaker = { gate: gate.id, named: namedParts(one.when), suggests: 'suggest' in one }
    return { ...one, message: compileText(speaking, holder, key, words, speaker) }
  }
  return {
    ...draft,
    gate: {
      ...gate,
      rules: gate.rules.map(reword),
      transitions: gate.transitions.map(reword),
      ...(gate.routes ? { routes: { ...gate.routes, list: gate.routes.list.map(reword) } } : {}),
    },
  }
}
