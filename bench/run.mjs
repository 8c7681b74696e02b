// Bundles the benchmarks and runs them: `npm run bench [-- name…]`. Ratios are against a floor measured in the same run.
import { writeFileSync } from 'node:fs'
import { withBundle } from '../scripts/with-bundle.mjs'

const only = process.argv.slice(2)
const results = await withBundle('bench', 'bench/index.ts', ({ run }) => run({ project: process.cwd(), only }), [
  'playwright-core',
])
writeFileSync('bench/results.json', `${JSON.stringify({ node: process.version, results }, null, 2)}\n`)
process.exitCode = results.every(result => result.ok) ? 0 : 1
