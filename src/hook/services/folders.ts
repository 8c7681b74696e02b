import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { isOwnFolder, statIfExists } from '../../lib/files.ts'

/** Paths of the user's policy and Signalbox's own files. `SIGNALBOX_HOME` moves them for tests and containers, not the managed file. */
export interface Folders {
  readonly home: string
  readonly userFile: string
  readonly managedFile: string
  readonly state: string
  /** the program as `init` installed it, with its launcher */
  readonly data: string
}

type Env = Readonly<Record<string, string | undefined>>

export function foldersOf(env: Env): Folders {
  const home = env.HOME || ownHome()
  const moved = env.SIGNALBOX_HOME
  return {
    home,
    userFile: join(moved || join(xdg(env.XDG_CONFIG_HOME, home, '.config'), 'signalbox'), 'signalbox.yaml'),
    managedFile: '/etc/signalbox/signalbox.yaml',
    state: moved ? join(moved, 'state') : join(xdg(env.XDG_STATE_HOME, home, '.local/state'), 'signalbox'),
    data: moved ? join(moved, 'data') : join(xdg(env.XDG_DATA_HOME, home, '.local/share'), 'signalbox'),
  }
}

/** In the data folder. */
export const LAUNCHER = 'bin/signalbox'

export const launcherIn = (data: string): string => join(data, LAUNCHER)

/** The XDG specification requires that relative values are ignored. */
const xdg = (value: string | undefined, home: string, fallback: string): string =>
  value && isAbsolute(value) ? value : join(home, fallback)

/** The home folder from the user database, where agents look too. `os.homedir` would return the `HOME` of this process. */
const ownHome = (): string => tryOr('/', () => userInfo().homedir || '/')

/** Why the state folder cannot be trusted: another user may have written to it. Undefined: only this user can, or it does not exist yet. */
export function unsafeFolderReason(state: string): string | undefined {
  if (isOwnFolder(state)) return undefined
  return statIfExists(state)?.uid === process.geteuid?.()
    ? `other users can write to the state folder; remove files that are not yours, then chmod 700 it (${state})`
    : `the state folder belongs to another user (${state})`
}

/** In the state folder. */
export const ATTESTATION_KEY = 'run-key'
