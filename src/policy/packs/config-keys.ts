import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { CompileInput, FileReader, PolicyUnit } from '../compile/context.ts'
import type { ProjectLimits } from '../limits.ts'
import type { PolicyError } from '../parse/policy-error.ts'
import type { SourceMap } from '../parse/source-map.ts'
import type { ConfigDoc } from '../schema/policy.ts'

export interface OptionProblem {
  readonly message: string
  readonly help?: string | undefined
}

type ConfigKeys = NonNullable<ConfigDoc['keys']>

export interface OptionEntry {
  readonly name: string
  readonly value: Json
  readonly isTranslated: boolean
}

/** An option that a key of the section sets, or what is wrong with the key, and the location of the key. */
type ConfigEntry = { readonly holder: JsonObject; readonly key: string } & (
  | OptionEntry
  | { readonly problem: OptionProblem }
  | { readonly note: string }
)

/** Reads the options of a section. Keys listed in `keys` are translated to options; any other key is itself an option. */
export function configEntriesOf(section: JsonObject, keys: ConfigKeys, path = ''): readonly ConfigEntry[] {
  return Object.entries(section).flatMap(([key, value]): readonly ConfigEntry[] => {
    const name = path + key
    const known = keys[name]
    const at = { holder: section, key }
    if (known) return translateKey(known, name, value).map(entry => ({ ...at, ...entry }))
    const isGroup = Object.keys(keys).some(text => text.startsWith(`${name}.`))
    if (!isGroup) return [{ ...at, name, value, isTranslated: false }]
    if (isObject(value)) return configEntriesOf(value, keys, `${name}.`)
    return value === null ? [] : [{ ...at, problem: { message: `\`${name}\` must be a mapping` } }]
  })
}

type TranslatedKey = OptionEntry | { readonly problem: OptionProblem } | { readonly note: string }

function translateKey({ as, note, except }: ConfigKeys[string], name: string, value: Json): readonly TranslatedKey[] {
  if (value === except) return []
  const noted: readonly TranslatedKey[] =
    note === undefined ? [] : [{ note: `\`${name}\` has no effect here: ${note}` }]
  // only a value of the same type as `except` can be translated
  if (except !== undefined && typeof value !== typeof except)
    return [{ problem: { message: `\`${name}\` has an invalid value` } }]
  const options = Object.entries((as ?? {}) as JsonObject)
  return [
    ...options.map(([option, text]) => ({ name: option, value: fillValue(text, value), isTranslated: true })),
    ...noted,
  ]
}

/** Replaces `{value}` in keys and values. */
function fillValue(template: Json, value: Json): Json {
  if (template === '{value}') return value
  if (Array.isArray(template)) return template.map(item => fillValue(item, value))
  if (!isObject(template)) return template
  return Object.fromEntries(
    Object.entries(template).map(([key, one]) => [key === '{value}' ? String(value) : key, fillValue(one, value)]),
  )
}

export interface PackContext {
  readonly input: CompileInput
  readonly places: SourceMap
  readonly files: FileReader
  /** names of the built-in packs, for suggestions */
  readonly builtIn: readonly string[]
  readonly problems: PolicyError[]
  readonly warnings: PolicyError[]
  readonly limits?: ProjectLimits | undefined
  /** a person has trusted the layer: options from a project file may loosen gates */
  readonly trusted: boolean
  /** the unit of the layer that uses the pack */
  readonly user: Omit<PolicyUnit, 'parts' | 'options'>
}
