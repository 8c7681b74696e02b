import { toJsonSchema } from '@valibot/to-json-schema'
import { isObject, type JsonObject } from '../pattern/index.ts'
import { condition } from './schema/condition.ts'
import { policy } from './schema/policy.ts'

/** The policy language as a JSON Schema, for editors. Made when the package is built, never on the hot path. */
export function policyJsonSchema(): JsonObject {
  const schema: unknown = JSON.parse(
    JSON.stringify(toJsonSchema(policy, { errorMode: 'ignore', definitions: { condition } })),
  )
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Signalbox policy',
    ...(isObject(schema) ? schema : {}),
  }
}
