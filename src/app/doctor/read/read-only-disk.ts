import { accessSync, constants } from 'node:fs'

/** The file system is mounted read-only, so `chmod` does not help. */
export function isOnReadOnlyDisk(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS'
  }
}
