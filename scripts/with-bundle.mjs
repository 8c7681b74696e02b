import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Bundles one of our sources in a folder of its own, gives its exports to `use`, and removes the folder. */
export async function withBundle(name, entry, use, external = []) {
  // inside the project, where the bundle finds libsql
  mkdirSync('node_modules/.cache', { recursive: true })
  // the real path: coverage names files by it
  const folder = realpathSync(mkdtempSync(resolve(`node_modules/.cache/signalbox-${name}-`)))
  try {
    const outfile = join(folder, `${name}.mjs`)
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      mainFields: ['module', 'main'],
      banner: { js: "import { createRequire as ___r } from 'node:module';const require=___r(import.meta.url);" },
      external,
      logLevel: 'warning',
    })
    return await use(await import(pathToFileURL(outfile).href), { folder, outfile })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
