// The reader as it is in the sources, bundled for this process.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** `readShell` of `src/shell`, or of another copy of the sources. */
export async function loadReader(sources = '.') {
  mkdirSync('node_modules/.cache', { recursive: true })
  const folder = mkdtempSync(resolve('node_modules/.cache/signalbox-reader-'))
  try {
    const outfile = join(folder, 'shell.mjs')
    const entryPoints = [join(sources, 'src/shell/index.ts')]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' })
    return (await import(pathToFileURL(outfile).href)).readShell
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a whitelist of readers lets pass: every command only reads, nothing is written, and all of it was read. */
export function isCleared({ readable, acts }) {
  return (
    readable &&
    acts.every(({ opaque, action, onlyReads }) => {
      if (opaque) return false
      return action === 'run' ? onlyReads === true : action !== 'write' && action !== 'delete'
    })
  )
}

/** The line cannot be read, or a part of it cannot. */
export const isOpaque = ({ readable, acts }) => !readable || acts.some(act => act.opaque)
