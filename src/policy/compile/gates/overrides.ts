import type { Rule, Transition } from '../../../engine/index.ts'
import { type ClientText, type Gate, MODES, type Mode, type RouteTable } from '../../../engine/index.ts'
import type { TextDoc } from '../../schema/gate.ts'
import type { CompileContext, DocumentKey } from '../context.ts'
import { indexRoutes } from '../routes/route-index.ts'
import { compileText } from '../values/text.ts'
import { urlPartNamesOf } from './rule.ts'

/** A gate before adjustments: its mode can still be `off`. */
export interface GateDraft {
  readonly gate: Omit<Gate, 'mode'>
  readonly mode: Mode
  readonly locked: boolean
  /** options of the pack it comes from, for `{name}` in its texts */
  readonly options: ReadonlyMap<string, string>
  /** the document that declares the gate; only this document may adjust a locked gate */
  readonly file: string
}

/** The ids that `off` and `messages` can name in a gate. */
export const ruleAndTransitionIdsOf = ({ gate }: GateDraft): readonly string[] => [
  ...gate.rules.map(rule => rule.id),
  ...gate.transitions.map(transition => transition.id),
  ...(gate.routes?.list ?? []).map(route => route.id),
]

export const isWeakerMode = (a: Mode, b: Mode): boolean => MODES.indexOf(a) < MODES.indexOf(b)

/** Removes the rules, routes and transitions with these ids. */
export function removeRules(draft: GateDraft, ids: readonly string[]): GateDraft {
  const keep = (item: { readonly id: string }): boolean => !ids.includes(item.id)
  const { gate } = draft
  return {
    ...draft,
    gate: {
      ...gate,
      rules: gate.rules.filter(keep),
      transitions: gate.transitions.filter(keep),
      ...(gate.routes ? { routes: buildRouteTable(gate.routes.list.filter(keep)) } : {}),
    },
  }
}

const buildRouteTable = (list: RouteTable['list']): RouteTable => ({ list, index: indexRoutes(list).index })

/** Replaces the message of the rule, route or transition with this id. File names are relative to the document that overrides it. */
export function overrideMessage(
  context: CompileContext,
  draft: GateDraft,
  holder: object,
  key: DocumentKey,
  words: TextDoc,
): GateDraft {
  const { gate } = draft
  const speaking: CompileContext = { ...context, unit: { ...context.unit, options: draft.options } }
  const reword = <T extends Rule | Transition>(item: T): T & { message?: ClientText } => {
    if (item.id !== key) return item
    const state = 'to' in item ? item.to : item.while
    const textOwner = {
      gate: gate.id,
      named: urlPartNamesOf(item.when),
      suggests: 'suggest' in item,
      states: state && [state],
      ...('to' in item ? {} : { rule: item.id }),
    }
    return { ...item, message: compileText(speaking, holder, key, words, textOwner) }
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
