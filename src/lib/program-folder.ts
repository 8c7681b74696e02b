import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const moduleUrl = import.meta.url.startsWith('file:') ? import.meta.url : pathToFileURL(import.meta.url).href

/** The folder that Signalbox is installed in. Works from the sources and from the bundles. */
export const PROGRAM_FOLDER =
  [1, 2].map(up => join(dirname(fileURLToPath(moduleUrl)), ...Array(up).fill('..'))).find(hasPackageJson) ?? '.'

function hasPackageJson(folder: string): boolean {
  return existsSync(join(folder, 'package.json'))
}
