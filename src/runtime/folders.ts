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
  const home = env.HOME || '/'
  const moved = env.SIGNALBOX_HOME
  return {
    home,
    userFile: join(moved || join(xdg(env.XDG_CONFIG_HOME, home, '.config'), 'signalbox'), 'signalbox.yaml'),
    managedFile: '/etc/signalbox/signalbox.yaml',
    state: moved ? join(moved, 'state') : join(xdg(env.XDG_STATE_HOME, home, '.local/state'), 'signalbox'),
    data: moved ? join(moved, 'data') : join(xdg(env.XDG_DATA_HOME, home, '.local/share'), 'signalbox'),
  }
}

/** The XDG specification: a relative value is to be ignored. */
const xdg = (value: string | undefined, home: string, fallback: string): string =>
  value && isAbsolute(value) ? value : join(home, fallback)
