// Writes the generated files: schemas and tables.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { withBundle } from './with-bundle.mjs'

const files = await withBundle('generate', 'scripts/generated.ts', ({ generated }) => generated())
for (const [file, content] of Object.entries(files)) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  console.log(file)
}
