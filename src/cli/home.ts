import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = import.meta.url.startsWith('file:') ? import.meta.url : pathToFileURL(import.meta.url).href

/** The folder this program is installed in, from the sources as from the bundles. */
export const HOME = [1, 2].map(up => join(dirname(fileURLToPath(here)), ...Array(up).fill('..'))).find(isHome) ?? '.'

function isHome(folder: string): boolean {
  return existsSync(join(folder, 'package.json'))
}
