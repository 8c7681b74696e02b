import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where a person's files and ours are kept. `SIGNALBOX_HOME` moves both for tests and containers, never the managed file. */
export interface Folders {
  readonly home: string
  readonly userFile: string
  readonly managedFile: string
  readonly state: string
  /** the program as `init` put it there, and what starts it */
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

/** What starts the program, in its folder. */
export const launcherIn = (data: string): string => join(data, 'bin/signalbox')

/** The XDG specification: a relative value is to be ignored. */
const xdg = (value: string | undefined, home: string, fallback: string): string =>
  value && isAbsolute(value) ? value : join(home, fallback)

/** As the system has it, where nobody says so: agents look there too. `os.homedir` would take this process's own `HOME`. */
function ownHome(): string {
  try {
    return userInfo().homedir || '/'
  } catch {
    return '/'
  }
}

const WRITABLE_BY_OTHERS = 0o022

/** Why what is in the state folder cannot be believed: somebody else may have put it there. Undefined: it is this user's alone, or not there yet. */
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
