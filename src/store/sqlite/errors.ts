type SqliteErrorKind = 'busy' | 'read-only' | 'forbidden' | 'I/O' | 'damaged' | 'full' | 'unopenable'

/** SQLite's primary result codes that have an answer of their own. */
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

/** The file ends before it should. */
const SHORT_READ = 522
/** What it was about to delete somebody else has deleted: two find the same files left behind at the same moment. */
const DELETED_BY_OTHER = 5898
/** No room for the file that says what is in the log. */
const NO_ROOM_FOR_SHM = 4874
const ANY_ERROR = 1

const MESSAGES: Readonly<Record<SqliteErrorKind, string>> = {
  busy: 'the state is locked by another process',
  'read-only': 'the state cannot be written: read-only',
  forbidden: 'the state cannot be written: no permission',
  'I/O': 'the state cannot be read or written: I/O error',
  damaged: 'the state is damaged',
  full: 'the state cannot be written: the disk is full',
  unopenable: 'the state cannot be opened',
}

/** What is wrong with the database, from what either driver threw. */
function errorKindOf(error: unknown): SqliteErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  // node:sqlite has `errcode`, libsql `rawCode`: extended codes, the primary one in the low byte
  const code = 'errcode' in error ? error.errcode : 'rawCode' in error ? error.rawCode : undefined
  if (code === DELETED_BY_OTHER) return 'busy'
  if (code === NO_ROOM_FOR_SHM) return 'full'
  if (typeof code === 'number')
    return isFileTruncated(code, error.message) ? 'damaged' : KIND_BY_RESULT_CODE[code & 255]
  if (error.message.startsWith('ConnectionFailed(')) return 'unopenable'
  return 'code' in error ? KIND_BY_ERRNO[String(error.code)] : undefined
}

/** What the file system says where SQLite was not asked yet. */
const KIND_BY_ERRNO: Readonly<Record<string, SqliteErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
}

/** Someone cut the file, took a table out of it, or put another program's in its place. */
const isFileTruncated = (code: number, message: string): boolean =>
  code === SHORT_READ || (code === ANY_ERROR && /no such (?:table|column)|already exists/.test(message))

export const isCorruption = (error: unknown): boolean => errorKindOf(error) === 'damaged'
/** What else shows when the files are moved away under it. */
export const isFileMoved = (error: unknown): boolean =>
  ['I/O', 'unopenable', 'read-only'].includes(errorKindOf(error) ?? '')
/** It cannot be written, and may still be read. */
export const isWriteFailure = (error: unknown): boolean =>
  ['full', 'read-only', 'forbidden', 'I/O', 'unopenable'].includes(errorKindOf(error) ?? '')
export const isLockBusy = (error: unknown): boolean => errorKindOf(error) === 'busy'

/** In one line, with the file: what a failure answer tells. */
export function describeError(error: unknown, file: string): unknown {
  const fault = errorKindOf(error)
  return fault === undefined ? error : new Error(`${MESSAGES[fault]} (${file})`, { cause: error })
}
