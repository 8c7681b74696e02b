import { toJsonSchema } from '@valibot/to-json-schema'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { conditionSchema } from './condition.ts'
import { KEY_DEFAULTS, KEY_DESCRIPTIONS } from './key-descriptions.ts'
import { policySchema } from './policy.ts'
import { authoredTestsSchema } from './policy-test.ts'

/** The policy language as a JSON Schema for editors. Generated when the package is built, never while handling an event. */
export const policyJsonSchema = (): JsonObject =>
  withTitle(
    'Signalbox policy',
    toJsonSchema(policySchema, { errorMode: 'ignore', definitions: { condition: conditionSchema } }),
  )

/** The JSON Schema of test files: a mapping with `tests` and settings for all tests, or only the list. */
export function testsJsonSchema(): JsonObject {
  const whole = withTitle('Signalbox policy tests', toJsonSchema(authoredTestsSchema, { errorMode: 'ignore' }))
  const { $schema = '', title = '', properties = {} } = whole
  const list = isObject(properties) ? (properties.tests ?? {}) : {}
  return {
    $schema,
    title,
    anyOf: [{ type: 'object', properties, required: ['tests'], additionalProperties: false }, list],
  }
}

function withTitle(title: string, made: object): JsonObject {
  const schema: Json = withDescriptions(JSON.parse(JSON.stringify(made)), '')
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...(isObject(schema) ? schema : {}) }
}

/** Keys of a schema that do not name a part of the document. */
const STRUCTURAL_KEYS = new Set([
  'properties',
  'items',
  'anyOf',
  'oneOf',
  'additionalProperties',
  'definitions',
  '$defs',
])

/** Adds the description and default of every key. `parent`: the key that contains this schema. */
function withDescriptions(schema: Json, parent: string): Json {
  if (Array.isArray(schema)) return schema.map(value => withDescriptions(value, parent))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (key === 'properties' && isObject(value))
      return [
        key,
        Object.fromEntries(Object.entries(value).map(([name, one]) => [name, describeProperty(one, name, parent)])),
      ]
    return [
      key,
      key === 'enum' || key === 'const' ? value : withDescriptions(value, STRUCTURAL_KEYS.has(key) ? parent : key),
    ]
  })
  return Object.fromEntries(entries)
}

function describeProperty(schema: Json, name: string, parent: string): Json {
  const inner = withDescriptions(schema, name)
  const description = KEY_DESCRIPTIONS[`${parent}.${name}`] ?? KEY_DESCRIPTIONS[name]
  const fallback = KEY_DEFAULTS[`${parent}.${name}`]
  if (!isObject(inner)) return inner
  return { ...(description && { description }), ...inner, ...(fallback !== undefined && { default: fallback }) }
}
