import type { Program } from '../core/index.ts'
import { isObject, type Json, type JsonObject, problemsWith, type Regex } from '../pattern/index.ts'
import { atomsOfProgram } from './atom.ts'
import { textFor } from './witness.ts'

/** Answers an agent may give where one is captured: as short as its schema takes, and with each value the policy asks for. */
export function samplesFor(
  gate: string,
  name: string,
  schema: JsonObject,
  program: Program,
  regex: Regex,
): readonly Json[] {
  const plain = sampleOf(schema)
  const wanted = atomsOfProgram(program).flatMap(atom =>
    atom.key === 'captured' ? atom.fields.filter(({ field }) => field.startsWith(`${gate}.${name}.`)) : [],
  )
  const settings = wanted.flatMap(({ field, in: list }) =>
    list.flatMap(one => {
      const text = textFor(one, regex)
      return text === undefined ? [] : [{ path: field.slice(gate.length + name.length + 2).split('.'), text }]
    }),
  )
  const each = settings.map(({ path, text }) => withField(plain, path, text, schema))
  const all = settings.reduce((value, { path, text }) => withField(value, path, text, schema), plain)
  const valid = [plain, ...each, all].filter(one => problemsWith(one, schema).length === 0)
  return [...new Map(valid.map(one => [JSON.stringify(one), one])).values()]
}

function sampleOf(schema: JsonObject): Json {
  const choices = schema.enum
  if (Array.isArray(choices)) return choices[0] ?? null
  const [type] = [schema.type].flat()
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 0
  if (type === 'array') return []
  if (type === 'null') return null
  if (type === 'string') return 'some'.repeat(Math.max(1, Math.ceil(Number(schema.minLength ?? 1) / 4)))
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  return Object.fromEntries(
    required.map(key => {
      const part = properties[key]
      return [key, isObject(part) ? sampleOf(part) : 'some']
    }),
  )
}

function withField(value: Json, [head = '', ...rest]: readonly string[], text: string, schema: JsonObject): Json {
  const parts = isObject(schema.properties) ? schema.properties : {}
  const part = isObject(parts[head]) ? parts[head] : {}
  const base = isObject(value) ? value : {}
  const inner = rest.length > 0 ? withField(base[head] ?? {}, rest, text, part) : typedAs(text, part)
  return { ...base, [head]: inner }
}

/** The text as the schema has it: conditions compare texts. */
function typedAs(text: string, { type }: JsonObject): Json {
  const types = [type].flat()
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if ((types.includes('number') || types.includes('integer')) && text !== '' && Number.isFinite(Number(text)))
    return Number(text)
  return text
}
