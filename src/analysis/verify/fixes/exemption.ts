import type { Action } from '../../../engine/index.ts'
import { type Condition, parseCommand, parsePath, parseUrlTemplate } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'

/** An exemption for a call, as written under `unless` and as a compiled condition. */
export interface Exemption {
  readonly yaml: JsonObject
  readonly when: Condition
}

interface ExemptionPart {
  readonly key: string
  readonly value: string | readonly string[]
  readonly when: Condition
}

/** Undefined: no single exemption covers the call. A line with several actions would need one for each. */
export function createExemption(call: SampleCall, actor: string, root: string): Exemption | undefined {
  if (call.isApproved) return undefined
  const parts = typeof call.shorthand.shell === 'string' ? commandParts(call) : objectParts(call.shorthand, root)
  if (!parts) return undefined
  const caller: ExemptionPart = { key: 'caller', value: actor, when: { key: 'caller', in: [actor] } }
  const all = actor === 'main' || isFreshName(actor) ? parts : [caller, ...parts]
  return {
    yaml: Object.fromEntries(
      all.map(({ key, value }) => [
        key,
        typeof value === 'string' ? value : value.length === 1 ? (value[0] ?? '') : [...value],
      ]),
    ),
    when: { all: all.map(one => one.when) },
  }
}

/** A single plain command. With `signalbox run`, both the inner command and the whole line. */
function commandParts({ beforeEvent, isAttested }: SampleCall): readonly ExemptionPart[] | undefined {
  const acts = beforeEvent.call?.acts ?? []
  const values = acts.map(plainCommandOf).reverse()
  const patterns = values.flatMap(value => (value === undefined ? [] : (parseCommand(value) ?? [])))
  if (acts.length !== (isAttested ? 2 : 1) || patterns.length < acts.length) return undefined
  const value = values.flatMap(value => value ?? [])
  return [{ key: 'command', value, when: { key: 'command', in: patterns } }]
}

function plainCommandOf({ words: given, assigns }: Action): string | undefined {
  const words = given?.map(word => word.text ?? '') ?? []
  const isPlain = words.length > 0 && words.every(word => /^[\w./:@=+-]+$/.test(word))
  if (!isPlain || assigns !== undefined || words.some(isFreshName)) return undefined
  return words.map(word => (word === 'some' ? '*' : word)).join(' ')
}

const ACTION_ATTRIBUTES = {
  write: ['write', 'path'],
  edit: ['write', 'path'],
  read: ['read', 'path'],
  delete: ['delete', 'path'],
  fetch: ['fetch', 'url'],
  spawn: ['spawn', 'agent'],
} as const

const isActionKey = (key: string): key is keyof typeof ACTION_ATTRIBUTES => key in ACTION_ATTRIBUTES

function objectParts(short: SampleCall['shorthand'], root: string): readonly ExemptionPart[] | undefined {
  const entries = Object.entries(short)
  const [[key = '', given] = [], second] = entries
  if (isActionKey(key) && !second) {
    const [action, object] = ACTION_ATTRIBUTES[key]
    const value = String(given)
    const part = isFreshName(value) ? [] : attributeParts(object, value, root)
    return part && [{ key: 'action', value: action, when: { key: 'action', in: [action] } }, ...part]
  }
  const isTool = typeof short.tool === 'string' && entries.every(([one]) => one === 'tool' || one === 'path')
  if (!isTool || entries.some(([, one]) => isFreshName(String(one)))) return undefined
  const path = typeof short.path === 'string' ? attributeParts('path', short.path, root) : []
  return path && [{ key: 'tool', value: String(short.tool), when: { key: 'tool', in: [String(short.tool)] } }, ...path]
}

function attributeParts(
  key: 'path' | 'url' | 'agent',
  given: string,
  root: string,
): readonly ExemptionPart[] | undefined {
  if (key === 'agent') return [{ key, value: given, when: { key, in: [given] } }]
  if (key === 'path') {
    const value = widenToGlob(given.startsWith(`${root}/`) ? given.slice(root.length + 1) : given)
    return [{ key, value, when: { key, in: [parsePath(value, { root })] } }]
  }
  const template = parseUrlTemplate(given)
  return template ? [{ key, value: given, when: { key, in: [{ template }] } }] : undefined
}

/** `some.txt` stands for any file that the policy does not name. */
const isFreshName = (text: string): boolean => /^some[-._]|[^/]some[-._]|^SomeTool$/.test(text)

/** `docs/some` becomes all files below `docs/`, `docs/some.md` becomes `docs/*.md`. */
const widenToGlob = (path: string): string => path.replace(/(^|\/)some$/, '$1').replace(/\/some(?=[-._/])/g, '/*')
