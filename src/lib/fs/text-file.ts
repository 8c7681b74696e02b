import { readFileSync } from 'node:fs'

/** Error codes of a temporary shortage: a later attempt may succeed. */
const SHORTAGE_CODES = ['EMFILE', 'ENFILE', 'ENOMEM']

/** Null if the file does not exist or cannot be read. Throws on a temporary shortage, which says nothing about this file. */
export function readTextIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && SHORTAGE_CODES.includes(String(error.code))) throw error
    return null
  }
}
