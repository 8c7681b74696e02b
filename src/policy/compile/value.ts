import {
  type CommandMatch,
  type FieldPattern,
  type PathPattern,
  parseCommand,
  parsePath,
  type TextPattern,
} from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import { warnOfCommandList } from './command-list.ts'
import { type Context, complain, type Key, listOf } from './context.ts'
import { warnOfText, warnOfTool } from './matcher-syntax.ts'
import { warnOfCommand } from './one-command.ts'
import { warnOfPath } from './path-syntax.ts'
import { isToolName } from './permission.ts'
import { isRegex } from './regex.ts'
import { resolveValue } from './variables.ts'

export const ENGINE_SETS = [
  'policy',
  'store',
  'key',
  'registrations',
  'registrations-below',
  'trusted-scripts',
  'secrets',
  'bypass-env',
  'project',
  'reading',
]
const PATH_SETS = ENGINE_SETS.filter(name => name !== 'bypass-env' && name !== 'reading')

/** The whole value is `$name`. Capitals are left alone: `$HOME` is the shell's. */
export const setName = (value: string): string | undefined => /^\$([a-z][a-z0-9-]*)$/.exec(value)?.[1]

/** Each item with the place it stands at. */
export function* items<T>(holder: object, key: Key, value: T | readonly T[] | undefined): Generator<[T, object, Key]> {
  if (Array.isArray(value)) for (const [index, item] of listOf(value).entries()) yield [item, value, index]
  else for (const item of listOf(value)) yield [item, holder, key]
}

/** Members of `$name` if it can stand here; a problem and nothing if it cannot. */
function members(context: Context, holder: object, key: Key, name: string, here: readonly string[]): readonly string[] {
  const given = context.input.sets[name] ?? []
  if (here.includes(name)) {
    const all =
      name === 'bypass-env' ? [...new Set([...given, ...context.names.flatMap(gate => gate.bypassedBy)])] : given
    context.notes.limits?.spend('values', all.length)
    return all
  }
  const message = ENGINE_SETS.includes(name) ? `\`$${name}\` cannot stand here` : `unknown set \`$${name}\``
  complain(context, holder, key, message, {
    help: didYouMean(
      `$${name}`,
      here.map(one => `$${one}`),
    ),
  })
  return []
}

export function paths(
  context: Context,
  holder: object,
  key: Key,
  value: string | readonly string[],
  /** a folder without its slash means what is in it */
  isPrefix = false,
): readonly PathPattern[] {
  const base = { root: context.input.root, home: context.input.home }
  return [...items(holder, key, value)].flatMap(([item, inner, name]) => {
    const set = setName(item)
    if (set === undefined) warnOfPath(context, inner, name, item, isPrefix)
    const written = set === undefined ? [item] : members(context, inner, name, set, PATH_SETS)
    return written.map(path => parsePath(path, base))
  })
}

export function commands(
  context: Context,
  holder: object,
  key: Key,
  value: string | readonly string[],
): readonly CommandMatch[] {
  warnOfCommandList(context, holder, key, value)
  return [...items(holder, key, value)].flatMap(([item, inner, name]): CommandMatch[] => {
    const set = setName(item)
    if (set === 'reading') return [{ reading: true }]
    if (set !== undefined) members(context, inner, name, set, ['reading'])
    const pattern = set === undefined ? parseCommand(item) : null
    if (pattern) warnOfCommand(context, inner, name, item)
    else if (set === undefined) complain(context, inner, name, `\`${item}\` is not a command`)
    return pattern ? [pattern] : []
  })
}

type ValueDoc = string | number | boolean | { regex: string }

/** `gate` is the compiled id of the gate that asks. */
export function texts(
  context: Context,
  holder: object,
  key: Key,
  value: ValueDoc | readonly ValueDoc[],
  gate: string,
  how: 'contains' | 'equals' = 'equals',
): readonly TextPattern[] {
  return [...items(holder, key, value)].flatMap(([item, inner, name]): TextPattern[] => {
    if (typeof item === 'object') return isRegex(context, item, 'regex', item.regex) ? [{ regex: item.regex }] : []
    const text = String(item)
    const set = setName(text)
    if (set !== undefined) members(context, inner, name, set, [])
    else if (typeof item === 'string') warnOfText(context, inner, name, item, how, String(key))
    return [{ is: resolveValue(context, inner, name, text, gate) }]
  })
}

type FieldsDoc = Readonly<Record<string, ValueDoc | readonly ValueDoc[]>>

export const fields = (context: Context, doc: FieldsDoc, gate: string): readonly FieldPattern[] =>
  Object.entries(doc).map(([field, value]) => ({ field, in: texts(context, doc, field, value, gate) }))

/** Names alone, `$bypass-env` among them. */
export function variableNames(
  context: Context,
  holder: object,
  key: Key,
  value: string | readonly string[],
): readonly string[] {
  return [...items(holder, key, value)].flatMap(([item, inner, name]) => {
    const set = setName(item)
    return set === undefined ? [item] : members(context, inner, name, set, ['bypass-env'])
  })
}

/** As written, and under the canonical name where a client has its own. */
export function tools(
  context: Context,
  holder: object,
  key: Key,
  value: string | readonly string[],
): readonly string[] {
  const { toolNames } = context.input
  return [...items(holder, key, value)].flatMap(([item, inner, name]) => {
    const set = setName(item)
    if (set !== undefined) return members(context, inner, name, set, [])
    if (!isToolName(context, inner, name, item)) return []
    warnOfTool(context, inner, name, item)
    const own = Object.keys(toolNames).find(tool => tool.toLowerCase() === item.toLowerCase())
    const canonical = own === undefined ? undefined : toolNames[own]
    return canonical === undefined || canonical === item ? [item] : [item, canonical]
  })
}
