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
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { readRegularFileBytes } from '../../../policy/index.ts'
import { UnfitFileError } from './edit-jsonc.ts'

const MAX_LINKS = 20
const MAX_BYTES = 8_000_000

/** A file as it is: what it says, and where it really is. */
export interface FileSnapshot {
  readonly real: string
  /** null: there is none */
  readonly bytes: Buffer | null
  readonly mode: number | undefined
}

/** Through links, to the file or to where it would be. */
export function resolveLinks(file: string): string {
  let at = file
  for (let links = 0; links < MAX_LINKS; links++) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at
    const to = readlinkSync(at)
    at = isAbsolute(to) ? to : join(dirname(at), to)
  }
  throw new UnfitFileError('is a link that leads nowhere')
}

/** One file has one name here, whatever links lead to it; also where it is not there yet. */
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

/** Throws `Unfit`, in words that follow the name, where it must not be touched. */
export function readSnapshot(file: string): FileSnapshot {
  try {
    const real = resolveLinks(file)
    const stat = statSync(real, { throwIfNoEntry: false })
    if (!stat) return { real, bytes: null, mode: undefined }
    if (!stat.isFile()) throw new UnfitFileError('is no file')
    if (stat.size > MAX_BYTES) throw new UnfitFileError('is larger than 8 MB')
    return { real, bytes: readRegularFileBytes(real), mode: stat.mode & 0o7777 }
  } catch (error) {
    if (error instanceof UnfitFileError) throw error
    throw new UnfitFileError(`cannot be read (${errorCodeOf(error)})`)
  }
}

/** Bytes that are no text would be lost: nobody edits them. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UnfitFileError('is no UTF-8 text')
  }
}

/** Whole or not at all, beside it and then in its place; who may do what with it stays. */
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
 * A file with a second name (a hard link: dotfiles are kept so) must stay one file, and a rename would cut it in two. This is not
 * atomic: who is stopped here leaves half a file. The manifest has the whole one, and is on the disk before.
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

/** What somebody who was stopped has left in a folder: only ours, and only of those who are gone. We ourselves begin with none. */
export function removeStaleDrafts(folder: string): void {
  for (const name of listFolder(folder)) {
    const pid = /^(?:\.signalbox-|install\.json\.|current\.)(\d+)[-.][\w.]*tmp$/.exec(name)?.[1]
    if (pid !== undefined && isProcessGone(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
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

/** A person's file stays theirs, whoever writes it for them. */
export function changeOwner(file: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  if (process.getuid?.() === 0) chownSync(file, uid, gid)
}

/** The folders that are missing above a file, the outermost first. */
export function missingParents(file: string): readonly string[] {
  const missing: string[] = []
  for (let at = dirname(file); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  return missing
}

/** Makes them, and gives those it made. What is everybody's can be entered by everybody, whatever the umask. */
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

/** Somebody else may have put something into it. */
export function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {}
}

export const errorCodeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error)

/** Its owner took the right to write it away: as root, one could all the same. */
export const isReadOnlyFile = ({ mode }: Pick<FileSnapshot, 'mode'>): boolean =>
  mode !== undefined && (mode & 0o222) === 0
