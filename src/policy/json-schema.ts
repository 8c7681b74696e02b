import { toJsonSchema } from '@valibot/to-json-schema'
import { isObject, type Json, type JsonObject } from '../pattern/index.ts'
import { condition } from './schema/condition.ts'
import { policy } from './schema/policy.ts'
import { writtenTests } from './schema/test.ts'
import { DEFAULTS, WORDS } from './schema/words.ts'

/** The policy language as a JSON Schema, for editors. Made when the package is built, never on the hot path. */
export const policyJsonSchema = (): JsonObject =>
  titled('Signalbox policy', toJsonSchema(policy, { errorMode: 'ignore', definitions: { condition } }))

/** The same for files of policy tests: `tests` with what holds for all of them, or only the list. */
export function testsJsonSchema(): JsonObject {
  const whole = titled('Signalbox policy tests', toJsonSchema(writtenTests, { errorMode: 'ignore' }))
  const { $schema = '', title = '', properties = {} } = whole
  const list = isObject(properties) ? (properties.tests ?? {}) : {}
  return {
    $schema,
    title,
    anyOf: [{ type: 'object', properties, required: ['tests'], additionalProperties: false }, list],
  }
}

function titled(title: string, made: object): JsonObject {
  const schema: Json = described(JSON.parse(JSON.stringify(made)), '')
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...(isObject(schema) ? schema : {}) }
}

/** Keys of a schema that do not name a part of the document. */
const WITHIN = new Set(['properties', 'items', 'anyOf', 'oneOf', 'additionalProperties', 'definitions', '$defs'])

/** With what every key is for, and what counts without it. `parent`: the key that this stands under. */
function described(schema: Json, parent: string): Json {
  if (Array.isArray(schema)) return schema.map(one => described(one, parent))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (key === 'properties' && isObject(value))
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, property(one, name, parent)]))]
    return [key, key === 'enum' || key === 'const' ? value : described(value, WITHIN.has(key) ? parent : key)]
  })
  return Object.fromEntries(entries)
}

function property(schema: Json, name: string, parent: string): Json {
  const inner = described(schema, name)
  const description = WORDS[`${parent}.${name}`] ?? WORDS[name]
  const fallback = DEFAULTS[`${parent}.${name}`]
  if (!isObject(inner)) return inner
  return { ...(description && { description }), ...inner, ...(fallback !== undefined && { default: fallback }) }
}
