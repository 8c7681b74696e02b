// Bundles the benchmarks and runs them: `npm run bench [-- name…]`. Ratios are against a floor measured in the same run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

// inside the project, where the bundle finds libsql
mkdirSync('node_modules/.cache', { recursive: true })
const folder = mkdtempSync(resolve('node_modules/.cache/signalbox-bench-'))
try {
  const outfile = join(folder, 'bench.mjs')
  const banner = { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" }
  await build({
    entryPoints: ['bench/index.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner,
    external: ['playwright-core'],
    logLevel: 'warning',
  })
  const { run } = await import(pathToFileURL(outfile).href)
  const results = await run({ project: process.cwd(), only: process.argv.slice(2) })
  writeFileSync('bench/results.json', `${JSON.stringify({ node: process.version, results }, null, 2)}\n`)
  process.exitCode = results.every(result => result.ok) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
