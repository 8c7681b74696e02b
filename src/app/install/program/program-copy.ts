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
import { tryOr } from '../../../lib/errors.ts'
import { createParents, rmdirIfEmpty } from '../settings-file/file-snapshot.ts'
import { fingerprintOf, listProgramFiles, type ProgramFile } from './program-files.ts'

/** A copy of the program in `data`. Its folder name contains a hash of its content, so an existing copy is never changed. */
export interface ProgramCopy {
  readonly data: string
  readonly name: string
  readonly files: readonly ProgramFile[]
  /** what the link `current` points to now */
  readonly before: string | undefined
  /** the program already runs from this copy, and the copy is complete */
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

/** Copies the program and switches `current` to it atomically, for hooks that run meanwhile. Returns an undo function. */
export function installProgramCopy({ data, name, files, before, isThere }: ProgramCopy): () => void {
  if (isThere) return () => {}
  const folder = join(data, name)
  const isNew = !isCompleteCopy(folder, files)
  const made = [...createParents(folder, true)].reverse()
  const back = () => {
    if (before) switchCurrentLink(data, before)
    else rmSync(join(data, 'current'), { force: true })
    if (isNew && before !== name) rmSync(folder, { recursive: true, force: true })
    for (const text of made) rmdirIfEmpty(text)
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
      // a package may have been unpacked read-only
      chmodSync(join(draft, to), statSync(from).mode & 0o100 ? 0o755 : 0o644)
    }
    if (existsSync(folder)) renameSync(folder, `${draft}.old`)
    renameSync(draft, folder)
  } finally {
    for (const rest of [draft, `${draft}.old`]) rmSync(rest, { recursive: true, force: true })
  }
}

/** Replaces the link atomically, by a rename. */
function switchCurrentLink(data: string, name: string): void {
  const draft = join(data, `current.${process.pid}.tmp`)
  rmSync(draft, { force: true })
  symlinkSync(name, draft)
  renameSync(draft, join(data, 'current'))
}

/** Removes other versions. `keep` includes the previous one: a session may still be loading from it. */
export function removeOldCopies(data: string, keep: readonly (string | undefined)[]): void {
  for (const name of listProgramCopies(data))
    if (!keep.includes(name)) rmSync(join(data, name), { recursive: true, force: true })
}

/** Folders of versions, complete or not. */
export const listProgramCopies = (data: string): readonly string[] =>
  existsSync(data)
    ? readdirSync(data).filter(name => /^\d+\.\d+\.\d+[\w.+-]*-[0-9a-f]{8}(\.\d+\.tmp(\.old)?)?$/.test(name))
    : []

const isCompleteCopy = (folder: string, files: readonly ProgramFile[]): boolean =>
  files.length > 0 &&
  files.every(({ to, size }) => statSync(join(folder, to), { throwIfNoEntry: false })?.size === size)

const tryReadlink = (file: string): string | undefined => tryOr(undefined, () => readlinkSync(file))

const tryRealpath = (file: string): string | undefined => tryOr(undefined, () => realpathSync(file))
