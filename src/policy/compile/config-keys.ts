import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import type { ConfigDoc } from '../schema/policy.ts'
import type { Wrong } from './config.ts'

type Keys = NonNullable<ConfigDoc['keys']>

export interface OptionEntry {
  readonly name: string
  readonly value: Json
  readonly isTranslated: boolean
}

/** An option that a key of the section sets, or what is wrong with the key; and where the key is written. */
type Entry = { readonly holder: JsonObject; readonly key: string } & (
  | OptionEntry
  | { readonly problem: Wrong }
  | { readonly note: string }
)

/** The options of a section: a key that the pack knows by another name is translated, any other is an option itself. */
export function entriesOf(section: JsonObject, keys: Keys, path = ''): readonly Entry[] {
  return Object.entries(section).flatMap(([key, value]): readonly Entry[] => {
    const name = path + key
    const known = keys[name]
    const at = { holder: section, key }
    if (known) return translated(known, name, value).map(entry => ({ ...at, ...entry }))
    const isGroup = Object.keys(keys).some(one => one.startsWith(`${name}.`))
    if (!isGroup) return [{ ...at, name, value, isTranslated: false }]
    if (isObject(value)) return entriesOf(value, keys, `${name}.`)
    return value === null ? [] : [{ ...at, problem: { message: `\`${name}\` must be a mapping` } }]
  })
}

type Translated = OptionEntry | { readonly problem: Wrong } | { readonly note: string }

function translated({ as, note, except }: Keys[string], name: string, value: Json): readonly Translated[] {
  if (value === except) return []
  const noted: readonly Translated[] = note === undefined ? [] : [{ note: `\`${name}\` has no effect here: ${note}` }]
  // only a value of that kind has a meaning to be translated
  if (except !== undefined && typeof value !== typeof except)
    return [{ problem: { message: `\`${name}\` has a value it cannot have` } }]
  const options = Object.entries((as ?? {}) as JsonObject)
  return [
    ...options.map(([option, text]) => ({ name: option, value: withValue(text, value), isTranslated: true })),
    ...noted,
  ]
}

/** `{value}`, as a name or as a value. */
function withValue(template: Json, value: Json): Json {
  if (template === '{value}') return value
  if (Array.isArray(template)) return template.map(one => withValue(one, value))
  if (!isObject(template)) return template
  return Object.fromEntries(
    Object.entries(template).map(([key, one]) => [key === '{value}' ? String(value) : key, withValue(one, value)]),
  )
}
