// Writes the generated files: schemas and tables.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-generate-'))
try {
  const outfile = join(folder, 'generated.mjs')
  const banner = { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" }
  await build({ entryPoints: ['scripts/generated.ts'], outfile, bundle: true, platform: 'node', format: 'esm', banner })
  const { generated } = await import(pathToFileURL(outfile).href)
  for (const [file, content] of Object.entries(generated())) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    console.log(file)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
