import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { tryOr } from './errors.ts'

const DEFAULT_MAX_BYTES = 10_000_000

/** Reads the text of a file that somebody else may have put there. */
export const readRegularFile = (file: string, largest = DEFAULT_MAX_BYTES): string =>
  readRegularFileBytes(file, largest).toString('utf8')

/**
 * A pipe or a device named like a policy would block every call. So only regular files are read, and no more bytes than their size.
 * `/proc/kmsg` claims to be a regular file and blocks its readers; other files in `/proc` never end. The file is checked before it
 * is opened, because opening a device may start it, and again afterwards, because it may have been replaced.
 */
export function readRegularFileBytes(file: string, largest = DEFAULT_MAX_BYTES): Buffer {
  assertRegularFile(statSync(file), largest)
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const stat = fstatSync(descriptor)
    assertRegularFile(stat, largest)
    // one byte more than the size: a file that reports size 0 and has content is not on a disk
    const bytes = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (stat.size === 0 && length > 0) throw new Error('it is not a regular file')
    return bytes.subarray(0, Math.min(length, stat.size))
  } finally {
    closeSync(descriptor)
  }
}

function assertRegularFile(stat: { readonly size: number; isFile(): boolean }, largest: number): void {
  if (!stat.isFile()) throw new Error('it is not a regular file')
  if (stat.size > largest) throw new Error(`it is larger than ${largest / 1_000_000} MB`)
}

/** Error codes of a temporary shortage: a later attempt may succeed. */
const SHORTAGE_CODES = ['EMFILE', 'ENFILE', 'ENOMEM']

/** Null if the file does not exist or cannot be read. Throws on a temporary shortage, which says nothing about this file. */
export function readTextIfExists(file: string): string | null {
  try {
    return readRegularFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && SHORTAGE_CODES.includes(String(error.code))) throw error
    return null
  }
}

/** Undefined if the file does not exist or cannot be read, for whatever reason. */
export const readTextOrUndefined = (file: string): string | undefined => tryOr(undefined, () => readRegularFile(file))

/** The names in the folder; none if it cannot be read. */
export const listFolder = (folder: string): readonly string[] => tryOr([], () => readdirSync(folder))

/** The entries of the folder; none if it cannot be read. */
export const readEntries = (folder: string): readonly Dirent[] =>
  tryOr([], () => readdirSync(folder, { withFileTypes: true }))

/** Undefined if the path does not exist. Throws if it cannot be inspected. */
export const statIfExists = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** The same for the link itself. */
export const lstatIfExists = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** Undefined if the path does not exist or cannot be inspected, as in a loop of symlinks. */
export const statOrUndefined = (path: string): Stats | undefined => tryOr(undefined, () => statIfExists(path))

/** Adds text to the end of a file, for this user only. */
export const appendToFile = (file: string, text: string): void => writeNow(file, constants.O_APPEND, text)

/** Opening a pipe that nobody reads would wait for a reader. Here it fails. */
function writeNow(file: string, how: number, text: string): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK | how, 0o600)
  try {
    writeFileSync(descriptor, text)
  } finally {
    closeSync(descriptor)
  }
}

let draftCount = 0

/** Creates folder by folder: `mkdir` with `recursive` never returns where nothing can be created (/proc, Node 20 and 26). */
export function ensurePrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  if (folder !== dirname(folder)) ensurePrivateFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** Writes the whole file or nothing, for this user only. Returns false if it could not be written. */
export function writeFileAtomically(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.${++draftCount}.tmp`
  try {
    ensurePrivateFolder(dirname(file))
    writeNow(draft, constants.O_TRUNC, text)
    renameSync(draft, file)
    return true
  } catch {
    discardDraft(draft)
    return false
  }
}

function discardDraft(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // the folder itself cannot be used, so the draft was never written
  }
}

export const inodeOf = (file: string): number | undefined => statIfExists(file)?.ino

const WRITABLE_BY_OTHERS = 0o022

/** Whether nobody but this user can write to the folder. Also true if it does not exist, or cannot be inspected. */
export function isOwnFolder(folder: string): boolean {
  const user = process.geteuid?.()
  try {
    const found = statIfExists(folder)
    return !found || user === undefined || (found.uid === user && (found.mode & WRITABLE_BY_OTHERS) === 0)
  } catch {
    return true
  }
}
