import { fill } from '../pattern/index.ts'
import type { Act } from './act.ts'
import { callerLabel } from './caller.ts'
import type { Gate, Suggest } from './gate.ts'
import type { Scene } from './scene.ts'

/** What a text is about: the act that fired, the parts of its URL, what is suggested instead. */
export interface Telling {
  readonly gate: Gate
  readonly act?: Act
  readonly named?: Readonly<Record<string, string>>
  readonly suggest?: Suggest | undefined
}

/** The `{variables}` of a text; counters are since the gate last changed. Whatever else it names is a capture. */
export function variable(name: string, told: Telling, scene: Scene): string {
  const { gate, act, named, suggest } = told
  const { event, own, turn, facts, captured } = scene
  const inner = (text: string) => fill(text, one => variable(one, { ...told, suggest: '' }, scene))
  const values: Readonly<Record<string, string | number | null | undefined>> = {
    tool: event.call?.tool,
    path: pathOf(act, facts.root),
    command: act?.via,
    url: act?.url,
    caller: callerLabel(event.caller),
    agent: act?.agent ?? event.agent,
    gate: gate.name,
    suggest: suggest && inner(inWords(suggest)),
    problem: own?.problem,
    operations: own && own.operations - own.changed.operations,
    turns: own && turn - own.changed.turn,
    seconds: own && Math.floor((facts.now - own.changed.at) / 1000),
    ...named,
  }
  if (Object.hasOwn(values, name)) return String(values[name] ?? '')
  return captured(`${gate.id}.${name}`) ?? captured(name) ?? captured(`${gate.layer}/${name}`) ?? ''
}

/** As short as it can be said: relative to the project. */
const pathOf = (act: Act | undefined, root: string): string => {
  const path = act?.place?.lexical
  if (act?.opaque || path === null) return '(unreadable)'
  return (path ?? '').replace(`${root}/`, '')
}

const inWords = (suggest: Suggest): string => {
  if (typeof suggest === 'string') return suggest
  if ('agent' in suggest) return [suggest.agent].flat().join(' or ')
  return [suggest.tool, suggest.path].filter(Boolean).join(' ')
}
