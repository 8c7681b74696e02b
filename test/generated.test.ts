import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generated } from '../scripts/generated.ts'

it.each(Object.entries(generated()))('%s is up to date (npm run generate)', (file, content) => {
  expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).toBe(content)
})

describe('the schemas for editors', () => {
  const files = ['schema/signalbox.schema.json', 'schema/signalbox-test.schema.json']

  it.each(files)('%s says of every key what it is for', file => {
    const silent: string[] = []
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { properties = {} } = schema as { properties?: Record<string, { description?: string }> }
      for (const [key, value] of Object.entries(properties)) if (!value.description) silent.push(`${path}.${key}`)
      for (const [key, value] of Object.entries(schema)) visit(value, `${path}/${key}`)
    }
    visit(JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8')), '')
    expect(silent).toEqual([])
  })

  it('says what counts where nothing is said', () => {
    const { properties } = JSON.parse(readFileSync(join(import.meta.dirname, '..', files[0] ?? ''), 'utf8'))
    const gate = properties.gates.additionalProperties.properties
    expect([gate.mode.default, gate.scope.default, properties.settings.properties.budgetMs.default]).toEqual([
      'block',
      'session',
      2000,
    ])
  })
})
