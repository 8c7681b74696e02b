import { lstatSync, readFileSync, readlinkSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrivateFolder, writeFileAtomically } from '../../policy/index.ts'
import { randomHex } from '../index.ts'

/** Names in the folder. The process is in it: the path of a socket must be short, that of a folder need not. */
export const RUN_FILES = {
  ...{ socket: 'socket', token: 'token', lock: 'lock', log: 'log', metrics: 'metrics' },
  dashboard: 'dashboard',
} as const
/** What clients leave there while no daemon can be started, or one says nothing. */
const STAMP_FILES = ['start', 'silent']

export const runFolderOf = (state: string): string => join(state, 'run')

/** Of this user alone. Throws where that cannot be. */
export function enterRunFolder(state: string): void {
  const folder = runFolderOf(state)
  ensurePrivateFolder(folder)
  const { mode, uid } = lstatSync(folder)
  if ((mode & 0o170000) !== 0o040000 || uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of yours alone (0700)`)
  process.chdir(folder)
}

/** A new one for each daemon; the lines below are where paths mean what they mean to it, which network its hooks have, and whose
 * the numbers of processes are. */
export function writeToken(): string {
  const token = randomHex(32)
  if (!writeFileAtomically(RUN_FILES.token, `${token}\n${NAMESPACES.map(namespaceOf).join('\n')}\n`))
    throw new Error('the token cannot be written')
  return token
}

const NAMESPACES = ['mnt', 'net', 'pid']

function namespaceOf(kind: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`)
  } catch {
    return ''
  }
}

/** Into its place in one step. What clients had noted of a daemon that was not there is over. */
export function publishSocket(made: string): Stats {
  const own = lstatSync(made)
  renameSync(made, RUN_FILES.socket)
  for (const stamp of STAMP_FILES) rmSync(stamp, { force: true })
  return own
}

/** Only what is ours: a successor may have put its own there. One whose start came too early may be started now. */
export function withdrawSocket(own: Stats): void {
  if (!isSameFile(RUN_FILES.socket, own)) return
  for (const name of [RUN_FILES.socket, ...STAMP_FILES]) rmSync(name, { force: true })
}

export function isSameFile(file: string, own: Stats): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.ino === own.ino && found.dev === own.dev
}

/** Where metrics are to be told: what a person said last. */
export function readMetricsSetting(folder = '.'): string {
  try {
    return readFileSync(join(folder, RUN_FILES.metrics), 'utf8').slice(0, 200).trim()
  } catch {
    return ''
  }
}

/** For this daemon, and for those that come after it. */
export function writeMetricsSetting(state: string, address: string): boolean {
  ensurePrivateFolder(runFolderOf(state))
  return writeFileAtomically(join(runFolderOf(state), RUN_FILES.metrics), `${address}\n`)
}
