type Fault = 'busy' | 'read-only' | 'forbidden' | 'I/O' | 'damaged' | 'full' | 'unopenable'

/** SQLite's primary result codes that have an answer of their own. */
const FAULTS: Readonly<Record<number, Fault>> = {
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
const GONE = 5898
/** No room for the file that says what is in the log. */
const NO_ROOM = 4874
const ANY_ERROR = 1

const SAY: Readonly<Record<Fault, string>> = {
  busy: 'the state is locked by another process',
  'read-only': 'the state cannot be written: read-only',
  forbidden: 'the state cannot be written: no permission',
  'I/O': 'the state cannot be read or written: I/O error',
  damaged: 'the state is damaged',
  full: 'the state cannot be written: the disk is full',
  unopenable: 'the state cannot be opened',
}

/** What is wrong with the database, from what either driver threw. */
function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined
  // node:sqlite has `errcode`, libsql `rawCode`: extended codes, the primary one in the low byte
  const code = 'errcode' in error ? error.errcode : 'rawCode' in error ? error.rawCode : undefined
  if (code === GONE) return 'busy'
  if (code === NO_ROOM) return 'full'
  if (typeof code === 'number') return isLost(code, error.message) ? 'damaged' : FAULTS[code & 255]
  if (error.message.startsWith('ConnectionFailed(')) return 'unopenable'
  return 'code' in error ? BY_SYSTEM[String(error.code)] : undefined
}

/** What the file system says where SQLite was not asked yet. */
const BY_SYSTEM: Readonly<Record<string, Fault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
}

/** Someone cut the file, took a table out of it, or put another program's in its place. */
const isLost = (code: number, message: string): boolean =>
  code === SHORT_READ || (code === ANY_ERROR && /no such (?:table|column)|already exists/.test(message))

export const isDamage = (error: unknown): boolean => faultOf(error) === 'damaged'
/** What else shows when the files are moved away under it. */
export const isUpset = (error: unknown): boolean => ['I/O', 'unopenable', 'read-only'].includes(faultOf(error) ?? '')
/** It cannot be written, and may still be read. */
export const isUnwritable = (error: unknown): boolean =>
  ['full', 'read-only', 'forbidden', 'I/O', 'unopenable'].includes(faultOf(error) ?? '')
export const isBusy = (error: unknown): boolean => faultOf(error) === 'busy'

/** In one line, with the file: what a failure answer tells. */
export function told(error: unknown, file: string): unknown {
  const fault = faultOf(error)
  return fault === undefined ? error : new Error(`${SAY[fault]} (${file})`, { cause: error })
}
