import { lstatSync, readlinkSync, renameSync, rmSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { statIfExists } from '../../lib/files.ts'
import { ensurePrivateFolder, readRegularFile, writeFileAtomically } from '../../policy/index.ts'
import { randomHex } from '../index.ts'

/** File names in the run folder. The daemon's working directory is that folder, because a socket's path must be short. */
export const RUN_FILES = {
  ...{ socket: 'socket', token: 'token', lock: 'lock', log: 'log', metrics: 'metrics' },
  dashboard: 'dashboard',
} as const
/** Files that clients write while no daemon can be started, or while a daemon does not reply. */
const STAMP_FILES = ['start', 'silent']

export const runFolderOf = (state: string): string => join(state, 'run')

/** Creates the run folder and changes to it. Throws unless it belongs to this user alone. */
export function enterRunFolder(state: string): void {
  const folder = runFolderOf(state)
  ensurePrivateFolder(folder)
  const { mode, uid } = lstatSync(folder)
  if ((mode & 0o170000) !== 0o040000 || uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new Error(`${folder} must belong to you alone (mode 0700)`)
  process.chdir(folder)
}

/** Writes a new token and this daemon's namespaces: hooks with other files, network or process ids must not use it. */
export function writeToken(): string {
  const token = randomHex(32)
  if (!writeFileAtomically(RUN_FILES.token, `${token}\n${NAMESPACES.map(namespaceOf).join('\n')}\n`))
    throw new Error('the token cannot be written')
  return token
}

const NAMESPACES = ['mnt', 'net', 'pid']

const namespaceOf = (kind: string): string => tryOr('', () => readlinkSync(`/proc/self/ns/${kind}`))

/** Moves the socket into place atomically, and removes the clients' notes about a missing daemon. */
export function publishSocket(made: string): Stats {
  const own = lstatSync(made)
  renameSync(made, RUN_FILES.socket)
  for (const stamp of STAMP_FILES) rmSync(stamp, { force: true })
  return own
}

/** Removes our own socket only: a successor may have placed its own. Without the notes, clients can start a daemon at once. */
export function withdrawSocket(own: Stats): void {
  if (!isSameFile(RUN_FILES.socket, own)) return
  for (const name of [RUN_FILES.socket, ...STAMP_FILES]) rmSync(name, { force: true })
}

export function isSameFile(file: string, own: Stats): boolean {
  const found = statIfExists(file)
  return found?.ino === own.ino && found.dev === own.dev
}

/** The metrics address that a person set last. */
export const readMetricsSetting = (folder = '.'): string =>
  tryOr('', () => readRegularFile(join(folder, RUN_FILES.metrics)).slice(0, 200).trim())

/** Applies to this daemon and later ones. */
export function writeMetricsSetting(state: string, address: string): boolean {
  ensurePrivateFolder(runFolderOf(state))
  return writeFileAtomically(join(runFolderOf(state), RUN_FILES.metrics), `${address}\n`)
}
