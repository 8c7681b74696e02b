import { describe, expect, it } from 'vitest'
import { ACTION_KINDS, PROMPT_SOURCES } from '../../src/engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import { policyJsonSchema } from '../../src/policy/schema/json-schema.ts'

const at = (schema: Json | undefined, ...keys: readonly string[]): JsonObject => {
  const found = keys.reduce<Json | undefined>((one, key) => (isObject(one) ? one[key] : undefined), schema)
  return isObject(found) ? found : {}
}

const schema = policyJsonSchema()
const { $defs: definitions } = schema
const condition = at(definitions, 'condition', 'properties')
const words = (key: string): string => String(at(condition, key).description)

describe('what an editor shows of a condition', () => {
  it('names every word that can stand there', () => {
    for (const action of ACTION_KINDS) expect(words('action')).toContain(action)
    for (const source of PROMPT_SOURCES) expect(words('source')).toContain(source)
    for (const caller of ['main', 'agent', 'unknown']) expect(words('caller')).toContain(caller)
  })

  it('writes the parts of a url as the language does', () => {
    expect(words('url')).toContain('`:name`')
    expect(words('url')).not.toContain('{')
  })

  it('tells of gates with their states, and of approvals by who gives them', () => {
    expect(words('gate')).toContain('{ other-gate: open }')
    expect(words('approved')).toContain('signalbox orchestrate')
  })
})
