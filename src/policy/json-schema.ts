import { toJsonSchema } from '@valibot/to-json-schema'
import { isObject, type JsonObject } from '../pattern/index.ts'
import { condition } from './schema/condition.ts'
import { policy } from './schema/policy.ts'
import { tests } from './schema/test.ts'

/** The policy language as a JSON Schema, for editors. Made when the package is built, never on the hot path. */
export const policyJsonSchema = (): JsonObject =>
  titled('Signalbox policy', toJsonSchema(policy, { errorMode: 'ignore', definitions: { condition } }))

/** The same for files of policy tests: `tests` with what holds for all of them, or only the list. */
export function testsJsonSchema(): JsonObject {
  const whole = titled('Signalbox policy tests', toJsonSchema(tests, { errorMode: 'ignore' }))
  const { $schema = '', title = '', properties = {} } = whole
  const list = isObject(properties) ? (properties.tests ?? {}) : {}
  return {
    $schema,
    title,
    anyOf: [{ type: 'object', properties, required: ['tests'], additionalProperties: false }, list],
  }
}

function titled(title: string, made: object): JsonObject {
  const schema: unknown = JSON.parse(JSON.stringify(made))
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...(isObject(schema) ? schema : {}) }
}
