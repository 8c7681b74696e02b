import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generated } from '../scripts/generated.ts'

it.each(Object.entries(generated()))('%s is up to date (npm run generate)', (file, content) => {
  expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).toBe(content)
})
