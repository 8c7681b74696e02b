import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { createParents, rmdirIfEmpty } from '../settings-file/file-snapshot.ts'
import { fingerprintOf, listProgramFiles, type ProgramFile } from './program-files.ts'

/** The program as it will lie in `data`. Its folder is named by what is in it, so one that is there is never changed. */
export interface ProgramCopy {
  readonly data: string
  readonly name: string
  readonly files: readonly ProgramFile[]
  /** what `current` leads to now */
  readonly before: string | undefined
  /** the program runs from there already, and all of it is there */
  readonly isThere: boolean
}

export function planProgramCopy(program: string, version: string, data: string): ProgramCopy {
  const before = tryReadlink(join(data, 'current'))
  const running = before && tryRealpath(join(data, before)) === tryRealpath(program) ? before : undefined
  if (running) return { data, name: running, files: [], before, isThere: true }
  const files = listProgramFiles(program)
  const name = `${version}-${fingerprintOf(files)}`
  return { data, name, files, before, isThere: before === name && isCompleteCopy(join(data, name), files) }
}

/** Puts it there and turns `current` to it, in one step for whoever calls the hook meanwhile. Gives what undoes that. */
export function installProgramCopy({ data, name, files, before, isThere }: ProgramCopy): () => void {
  if (isThere) return () => {}
  const folder = join(data, name)
  const isNew = !isCompleteCopy(folder, files)
  const made = [...createParents(folder, true)].reverse()
  const back = () => {
    if (before) switchCurrentLink(data, before)
    else rmSync(join(data, 'current'), { force: true })
    if (isNew && before !== name) rmSync(folder, { recursive: true, force: true })
    for (const one of made) rmdirIfEmpty(one)
  }
  try {
    if (isNew) copyFiles(folder, files)
    switchCurrentLink(data, name)
    return back
  } catch (error) {
    back()
    throw error
  }
}

function copyFiles(folder: string, files: readonly ProgramFile[]): void {
  const draft = `${folder}.${process.pid}.tmp`
  try {
    for (const { from, to } of files) {
      createParents(join(draft, to), true)
      copyFileSync(from, join(draft, to), constants.COPYFILE_FICLONE)
      // a package may have been unpacked for reading only
      chmodSync(join(draft, to), statSync(from).mode & 0o100 ? 0o755 : 0o644)
    }
    if (existsSync(folder)) renameSync(folder, `${draft}.old`)
    renameSync(draft, folder)
  } finally {
    for (const rest of [draft, `${draft}.old`]) rmSync(rest, { recursive: true, force: true })
  }
}

/** A link is replaced by renaming another one over it. */
function switchCurrentLink(data: string, name: string): void {
  const draft = join(data, `current.${process.pid}.tmp`)
  rmSync(draft, { force: true })
  symlinkSync(name, draft)
  renameSync(draft, join(data, 'current'))
}

/** Copies of other versions, but for the one before: a session may still be loading from it. */
export function removeOldCopies(data: string, keep: readonly (string | undefined)[]): void {
  for (const name of listProgramCopies(data))
    if (!keep.includes(name)) rmSync(join(data, name), { recursive: true, force: true })
}

/** Versions, whole or not. */
export const listProgramCopies = (data: string): readonly string[] =>
  existsSync(data)
    ? readdirSync(data).filter(name => /^\d+\.\d+\.\d+[\w.+-]*-[0-9a-f]{8}(\.\d+\.tmp(\.old)?)?$/.test(name))
    : []

const isCompleteCopy = (folder: string, files: readonly ProgramFile[]): boolean =>
  files.length > 0 &&
  files.every(({ to, size }) => statSync(join(folder, to), { throwIfNoEntry: false })?.size === size)

function tryReadlink(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}

function tryRealpath(file: string): string | undefined {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}
