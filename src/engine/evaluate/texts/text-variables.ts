import { fillTemplate } from '../../../lib/template.ts'
import { counterText } from '../../match/counter.ts'
import type { Action } from '../../model/action.ts'
import { callerLabel } from '../../model/caller.ts'
import type { Gate, Route } from '../../model/gate.ts'
import { suggestionText } from '../../model/suggestion.ts'
import type { MatchContext } from '../match-context.ts'

/** What a text is about: the rule or route that matched, the action, and the named parts of its URL. */
export interface TextContext {
  readonly gate: Gate
  readonly act?: Action
  readonly named?: Readonly<Record<string, string>>
  readonly rule?: Route
}

/** The value of a `{variable}` in a text: a known name, otherwise a counter, otherwise a capture. */
export function textVariable(name: string, told: TextContext, scene: MatchContext): string {
  const { gate, act, named, rule } = told
  const { event, own, turn, facts, captured } = scene
  const inner = (text: string) => fillTemplate(text, one => (one === 'suggest' ? '' : textVariable(one, told, scene)))
  const values: Readonly<Record<string, string | number | null | undefined>> = {
    tool: event.call?.tool,
    path: pathOf(act, facts.root),
    command: act?.via,
    url: act?.url,
    caller: callerLabel(event.caller),
    agent: act?.agent ?? event.agent,
    gate: gate.name,
    rule: rule?.id,
    pattern: rule?.pattern,
    suggest: name === 'suggest' && rule?.suggest ? inner(suggestionText(rule.suggest, event.client)) : '',
    problem: own?.problem,
    ...named,
  }
  if (Object.hasOwn(values, name)) return String(values[name] ?? '')
  const counter = counterText(name, own, { turn, now: facts.now })
  return counter ?? captured(`${gate.id}.${name}`) ?? captured(name) ?? captured(`${gate.layer}/${name}`) ?? ''
}

/** Relative to the project, to keep texts short. */
const pathOf = (act: Action | undefined, root: string): string => {
  const path = act?.place?.lexical
  if (act?.opaque || path === null) return '(unreadable)'
  return (path ?? '').replace(`${root}/`, '')
}
