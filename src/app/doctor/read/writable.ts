import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** For root, checks the mode as well: root can write anything, but the mode shows what was intended. */
export function isFileWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return process.getuid?.() !== 0 || (statSync(file).mode & 0o200) !== 0
  } catch {
    return false
  }
}

/** The first thing the store needs that is not writable: the state folder or the nearest existing folder above it, or a file in it. */
export function findUnwritable(state: string): string | undefined {
  const files = ['', 'signalbox.db', 'audit-head'].map(name => join(state, name)).filter(file => existsSync(file))
  return [nearestExistingFolder(state), ...files].find(file => !isFileWritable(file))
}

export const nearestExistingFolder = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : nearestExistingFolder(dirname(folder))
