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
  const { event, own, turn, facts } = scene
  if (named && Object.hasOwn(named, name)) return named[name] ?? ''
  switch (name) {
    case 'tool':
      return event.call?.tool ?? ''
    case 'path':
      return pathOf(act, facts.root)
    case 'command':
      return act?.via ?? ''
    case 'url':
      return act?.url ?? ''
    case 'caller':
      return callerLabel(event.caller)
    case 'agent':
      return act?.agent ?? event.agent ?? ''
    case 'gate':
      return gate.name
    case 'suggest':
      return suggest === undefined
        ? ''
        : fill(inWords(suggest), inner => variable(inner, { ...told, suggest: '' }, scene))
    case 'problem':
      return own?.problem ?? ''
    case 'operations':
      return String(own ? own.operations - own.changed.operations : 0)
    case 'turns':
      return String(own ? turn - own.changed.turn : 0)
    case 'seconds':
      return String(own ? Math.floor((facts.now - own.changed.at) / 1000) : 0)
    default:
      return (
        scene.captured(`${gate.id}.${name}`) ?? scene.captured(name) ?? scene.captured(`${gate.layer}/${name}`) ?? ''
      )
  }
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
