import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

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

/** Path of the launcher in the data folder. */
export const launcherIn = (data: string): string => join(data, 'bin/signalbox')

/** The XDG specification requires that relative values are ignored. */
const xdg = (value: string | undefined, home: string, fallback: string): string =>
  value && isAbsolute(value) ? value : join(home, fallback)

/** The home folder from the user database, where agents look too. `os.homedir` would return the `HOME` of this process. */
function ownHome(): string {
  try {
    return userInfo().homedir || '/'
  } catch {
    return '/'
  }
}

const WRITABLE_BY_OTHERS = 0o022

/** Why the state folder cannot be trusted: another user may have written to it. Undefined: only this user can, or it does not exist yet. */
export function unsafeFolderReason(state: string): string | undefined {
  const user = process.geteuid?.()
  const found = lookAt(state)
  if (!found || user === undefined) return undefined
  if (found.uid !== user) return `the state folder belongs to another user (${state})`
  return found.mode & WRITABLE_BY_OTHERS
    ? `others may write to the state folder; remove what is not yours in it, then chmod 700 it (${state})`
    : undefined
}

function lookAt(folder: string) {
  try {
    return statSync(folder, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export const attestationKeyFile = (state: string): string => join(state, 'run-key')
