import { accessSync, constants, statSync } from 'node:fs'

/** Whoever may do everything is not stopped by a mode, and yet it says what was meant. */
export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return process.getuid?.() !== 0 || (statSync(file).mode & 0o200) !== 0
  } catch {
    return false
  }
}
