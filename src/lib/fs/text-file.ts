import { readFileSync } from 'node:fs'

/** Whoever asks later may be told. */
const SHORTAGE_CODES = ['EMFILE', 'ENFILE', 'ENOMEM']

/** Null where there is no such file, or none for us. Throws where no file can be read just now: that says nothing of this one. */
export function readTextIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && SHORTAGE_CODES.includes(String(error.code))) throw error
    return null
  }
}
