import { lstatSync, readFileSync, readlinkSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeAtomically } from '../policy/index.ts'
import { randomHex } from '../runtime/index.ts'

/** Names in the folder. The process is in it: the path of a socket must be short, that of a folder need not. */
export const NAMES = {
  ...{ socket: 'socket', token: 'token', lock: 'lock', log: 'log', metrics: 'metrics' },
  dashboard: 'dashboard',
} as const
/** What clients leave there while no daemon can be started, or one says nothing. */
const STAMPS = ['start', 'silent']

export const runFolder = (state: string): string => join(state, 'run')

/** Of this user alone. Throws where that cannot be. */
export function enterRunFolder(state: string): void {
  const folder = runFolder(state)
  makeFolder(folder)
  const { mode, uid } = lstatSync(folder)
  if ((mode & 0o170000) !== 0o040000 || uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of yours alone (0700)`)
  process.chdir(folder)
}

/** A new one for each daemon; the lines below are where paths mean what they mean to it, which network its hooks have, and whose
 * the numbers of processes are. */
export function writeToken(): string {
  const token = randomHex(32)
  if (!writeAtomically(NAMES.token, `${token}\n${NAMESPACES.map(namespaceOf).join('\n')}\n`))
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
export function showSocket(made: string): Stats {
  const own = lstatSync(made)
  renameSync(made, NAMES.socket)
  for (const stamp of STAMPS) rmSync(stamp, { force: true })
  return own
}

/** Only what is ours: a successor may have put its own there. One whose start came too early may be started now. */
export function hideSocket(own: Stats): void {
  if (!isStill(NAMES.socket, own)) return
  for (const name of [NAMES.socket, ...STAMPS]) rmSync(name, { force: true })
}

export function isStill(file: string, own: Stats): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.ino === own.ino && found.dev === own.dev
}

/** Where metrics are to be told: what a person said last. */
export function readMetrics(folder = '.'): string {
  try {
    return readFileSync(join(folder, NAMES.metrics), 'utf8').slice(0, 200).trim()
  } catch {
    return ''
  }
}

/** For this daemon, and for those that come after it. */
export function writeMetrics(state: string, address: string): boolean {
  makeFolder(runFolder(state))
  return writeAtomically(join(runFolder(state), NAMES.metrics), `${address}\n`)
}
