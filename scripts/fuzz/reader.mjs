// The reader as it is in the sources, bundled for this process.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** `analyseShellLine` of `src/engine/shell`, or of another copy of the sources. */
export async function loadReader(sources = '.') {
  mkdirSync('node_modules/.cache', { recursive: true })
  const folder = mkdtempSync(resolve('node_modules/.cache/signalbox-reader-'))
  try {
    const outfile = join(folder, 'shell.mjs')
    const entryPoints = [join(sources, 'src/engine/shell/index.ts')]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' })
    return (await import(pathToFileURL(outfile).href)).analyseShellLine
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
