import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { listFolder } from '../../../lib/files.ts'
import { readRegularFileBytes } from '../../../policy/index.ts'
import { UnfitFileError } from './edit-jsonc.ts'

const MAX_LINKS = 20
const MAX_BYTES = 8_000_000

/** A file's current content and its real path. */
export interface FileSnapshot {
  readonly real: string
  /** null: the file does not exist */
  readonly bytes: Buffer | null
  readonly mode: number | undefined
}

/** Follows links to the file, or to where it would be. */
export function resolveLinks(file: string): string {
  let at = file
  for (let links = 0; links < MAX_LINKS; links++) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at
    const to = readlinkSync(at)
    at = isAbsolute(to) ? to : join(dirname(at), to)
  }
  throw new UnfitFileError('is a link to a file that does not exist')
}

/** One path for a file, whatever links lead to it; also if the file does not exist yet. */
export function canonicalPath(file: string): string {
  try {
    const real = resolveLinks(file)
    return existsSync(real) || real === dirname(real)
      ? realpathSync(real)
      : join(canonicalPath(dirname(real)), basename(real))
  } catch {
    return file
  }
}

/** Throws `UnfitFileError` if the file must not be changed; the message follows its name. */
export function readSnapshot(file: string): FileSnapshot {
  try {
    const real = resolveLinks(file)
    const stat = statSync(real, { throwIfNoEntry: false })
    if (!stat) return { real, bytes: null, mode: undefined }
    if (!stat.isFile()) throw new UnfitFileError('is not a file')
    if (stat.size > MAX_BYTES) throw new UnfitFileError('is larger than 8 MB')
    return { real, bytes: readRegularFileBytes(real), mode: stat.mode & 0o7777 }
  } catch (error) {
    if (error instanceof UnfitFileError) throw error
    throw new UnfitFileError(`cannot be read (${errorCodeOf(error)})`)
  }
}

/** Rejects bytes that are not UTF-8: editing them as text would lose them. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UnfitFileError('is not UTF-8 text')
  }
}

/** Writes a draft and renames it over the file, so the file is never half-written. Mode and owner stay. */
export function replaceFile(real: string, bytes: Buffer, mode: number | undefined): void {
  const draft = join(dirname(real), `.signalbox-${process.pid}-${Date.now().toString(36)}.tmp`)
  const old = statSync(real, { throwIfNoEntry: false })
  if (old && old.nlink > 1) {
    overwriteInPlace(real, bytes, mode)
    return
  }
  try {
    const handle = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(handle, bytes)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    chmodSync(draft, mode ?? (old ? old.mode & 0o7777 : 0o666 & ~process.umask()))
    changeOwner(draft, old ?? statSync(dirname(real)))
    renameSync(draft, real)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/**
 * A file with several hard links (common for dotfiles) must stay one file, and a rename would break the link. This is not
 * atomic: an interruption leaves a partial file. The manifest has the original, and is written before.
 */
function overwriteInPlace(real: string, bytes: Buffer, mode: number | undefined): void {
  const handle = openSync(real, 'r+')
  try {
    ftruncateSync(handle, 0)
    writeFileSync(handle, bytes)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (mode !== undefined) chmodSync(real, mode)
}

/** Removes drafts that interrupted runs of Signalbox left in a folder. A draft with our own process id is stale too: we have none yet. */
export function removeStaleDrafts(folder: string): void {
  for (const name of listFolder(folder)) {
    const pid = /^(?:\.signalbox-|install\.json\.|current\.)(\d+)[-.][\w.]*tmp$/.exec(name)?.[1]
    if (pid !== undefined && isProcessGone(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isProcessGone(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errorCodeOf(error) === 'ESRCH'
  }
}

/** When run as root, keeps a user's file owned by that user. */
export function changeOwner(file: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}

/** The missing folders above a file, outermost first. */
export function missingParents(file: string): readonly string[] {
  const missing: string[] = []
  for (let at = dirname(file); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  return missing
}

/** Creates the missing folders and returns them. Shared folders are accessible to everyone, independent of the umask. */
export function createParents(file: string, isShared: boolean): readonly string[] {
  const made: string[] = []
  for (const folder of missingParents(file)) {
    mkdirSync(folder, { mode: 0o755 })
    made.push(folder)
    if (isShared) chmodSync(folder, 0o755)
    changeOwner(folder, statSync(dirname(folder)))
  }
  return made
}

/** Ignores a folder that is not empty or cannot be removed. */
export function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {}
}

export const errorCodeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error)

/** The owner made the file read-only. Checked by mode, because root could write it anyway. */
export const isReadOnlyFile = ({ mode }: Pick<FileSnapshot, 'mode'>): boolean =>
  mode !== undefined && (mode & 0o222) === 0
