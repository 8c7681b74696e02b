import { NOT_A_FILE } from './driver.ts'

type SqliteErrorKind = 'busy' | 'read-only' | 'forbidden' | 'I/O' | 'damaged' | 'full' | 'unopenable'

/** The primary result codes of SQLite that are handled separately. */
const KIND_BY_RESULT_CODE: Readonly<Record<number, SqliteErrorKind>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'I/O',
  11: 'damaged',
  13: 'full',
  14: 'unopenable',
  26: 'damaged',
}

/** The file ends too early. */
const SHORT_READ = 522
/** Another process has just deleted the file that SQLite wanted to delete: both found the same leftover files. */
const DELETED_BY_OTHER = 5898
/** No space for the shared-memory index of the write-ahead log. */
const NO_ROOM_FOR_SHM = 4874
const ANY_ERROR = 1

const MESSAGES: Readonly<Record<SqliteErrorKind, string>> = {
  busy: 'the database is locked by another process',
  'read-only': 'the database cannot be written: it is read-only',
  forbidden: 'the database cannot be written: no permission',
  'I/O': 'the database cannot be read or written: I/O error',
  damaged: 'the database is damaged',
  full: 'the database cannot be written: the disk is full',
  unopenable: 'the database cannot be opened',
}

/** Classifies an error thrown by either driver. */
function errorKindOf(error: unknown): SqliteErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  // node:sqlite sets `errcode`, libsql `rawCode`: extended codes with the primary code in the low byte
  const code = 'errcode' in error ? error.errcode : 'rawCode' in error ? error.rawCode : undefined
  if (code === DELETED_BY_OTHER) return 'busy'
  if (code === NO_ROOM_FOR_SHM) return 'full'
  if (typeof code === 'number')
    return isFileTruncated(code, error.message) ? 'damaged' : KIND_BY_RESULT_CODE[code & 255]
  if (error.message.startsWith('ConnectionFailed(')) return 'unopenable'
  return 'code' in error ? KIND_BY_ERRNO[String(error.code)] : undefined
}

/** Errors of the file system before SQLite is involved. */
const KIND_BY_ERRNO: Readonly<Record<string, SqliteErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  [NOT_A_FILE]: 'unopenable',
}

/** The file was truncated, lacks a table, or belongs to another program. */
const isFileTruncated = (code: number, message: string): boolean =>
  code === SHORT_READ || (code === ANY_ERROR && /no such (?:table|column)|already exists/.test(message))

export const isCorruption = (error: unknown): boolean => errorKindOf(error) === 'damaged'
/** Other errors that occur when the files are moved away while open. */
export const canMeanFileMoved = (error: unknown): boolean =>
  ['I/O', 'unopenable', 'read-only'].includes(errorKindOf(error) ?? '')
/** The database cannot be written, but may still be readable. */
export const isWriteFailure = (error: unknown): boolean =>
  ['full', 'read-only', 'forbidden', 'I/O', 'unopenable'].includes(errorKindOf(error) ?? '')
export const isLockBusy = (error: unknown): boolean => errorKindOf(error) === 'busy'

/** A one-line error with the file name, for the failure answer. */
export function describeError(error: unknown, file: string): unknown {
  const fault = errorKindOf(error)
  return fault === undefined ? error : new Error(`${MESSAGES[fault]} (${file})`, { cause: error })
}
