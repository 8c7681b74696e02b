import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whoever may do everything is not stopped by a mode, and yet it says what was meant. */
export function isFileWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return process.getuid?.() !== 0 || (statSync(file).mode & 0o200) !== 0
  } catch {
    return false
  }
}

/** Of what the store needs, the first that cannot be written: the folder itself, or the nearest above it that is there, or a file in it. */
export function findUnwritable(state: string): string | undefined {
  const files = ['', 'signalbox.db', 'audit-head'].map(name => join(state, name)).filter(file => existsSync(file))
  return [nearestExistingFolder(state), ...files].find(file => !isFileWritable(file))
}

export const nearestExistingFolder = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : nearestExistingFolder(dirname(folder))
