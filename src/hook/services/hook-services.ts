import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Client, Reply } from '../../clients/index.ts'
import type { Action, Event, Facts, Regex, ToolShape } from '../../engine/index.ts'
import type { AttestedCommand } from '../../engine/shell/index.ts'
import type { FailureMode, GateExport, LoadedPolicy } from '../../policy/index.ts'
import type { Store } from '../../store/index.ts'
import type { Deadline } from '../budget/deadline.ts'
import type { CodeGateProcesses } from '../subhooks/code-gates.ts'

/** One call of the hook, as the client made it. */
export interface HookCall {
  readonly client: Client
  readonly text: string
  /** `text` as received, byte for byte: the input of sub-hooks */
  readonly bytes: Uint8Array
  /** the client's own event name, from the command line */
  readonly event?: string | undefined
  readonly onError?: FailureMode | undefined
  /** which registration made the call: one word each, absent for the user's own settings */
  readonly via?: string | undefined
  /** id of this call; a process that takes it over from the daemon has the same id, and no other process knows it */
  readonly call?: string | undefined
  /** process id of the hook, if the daemon answers for it */
  readonly pid?: number | undefined
  /** kept out of `env`, so that processes started by the hook do not inherit it */
  readonly approval?: PresentedToken | undefined
  /** the payload came through a hook that is registered for another client */
  readonly borrowed?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: number
  /** when the call arrived, on the process's own clock; absent: the process was started for this call */
  readonly came?: number | undefined
  /** set in the daemon, which does not exit when the time is over */
  readonly deadline?: Deadline | undefined
  /** called with the time the answer may take, in ms since the event arrived: sub-hooks have their own timeouts */
  readonly answerBy?: ((ms: number) => void) | undefined
  /** called when a thread may not end: `exit` would wait for it */
  readonly stuck?: (() => void) | undefined
}

/**
 * Instead of a result: this process must not answer the event, and has decided and stored nothing. The daemon leaves the event to a one-shot
 * process, because it could answer differently or too slowly; a one-shot process leaves it to the last resort (`bin/signalbox.cjs`).
 */
export interface RequiresOneShot {
  /** why: it can quote anything */
  readonly requiresOneShot: string
  /** the redacted reason that the audit log may keep */
  readonly onRecord?: string
}

/** What `handleEvent` returns. */
export type HookResult = Reply | RequiresOneShot

/** What all phases share: opened once, used for every event. */
export interface HookServices {
  readonly folders: Folders
  /** a supported client, by id */
  readonly client: (id: string) => Client
  readonly store: Store
  readonly regex: Regex
  readonly shell: () => Shell
  readonly policy: (root: string, cwd: string) => LoadedPolicy | RequiresOneShot
  /** without the project's layers, if need be only the built-in policy: used when the full policy cannot be loaded */
  readonly stronger: (root: string) => LoadedPolicy
  /** the bundle of the thread that code gates run in */
  readonly codeWorker: string
  /** the processes that code gates run in, in the daemon */
  readonly codeGateProcesses?: CodeGateProcesses
}

/** An event, and the facts that its evaluation may use. */
export interface PreparedEvent {
  readonly event: Event
  readonly facts: Facts
}

/** The payload as the client sent it, and as a sub-hook rewrote it. The rewritten call runs if the client accepts rewrites. */
export interface PreparedPayload {
  readonly sent: readonly PreparedEvent[]
  readonly rewritten?: readonly PreparedEvent[]
}

/** What a failure answer needs, filled in phase by phase. */
export class FailureContext {
  event?: Event | undefined
  root?: string
  exports?: readonly GateExport[]
  /** the policy's failure mode, once it is loaded */
  posture?: FailureMode
  /** with bypasses and the approval applied */
  policy?: Pick<LoadedPolicy, 'program'>
  /** what the current phase depends on */
  cause: 'input' | 'state' | 'time' | undefined = 'input'
  /** the state folder is not this user's alone, so nothing is written there either */
  isForeignState = false
  /** the call, after decoding with the client that really sent it */
  call: HookCall

  constructor(call: HookCall) {
    this.call = call
  }

  /** Nothing in the state folder can be trusted, so calls are denied. */
  denyForeignState(): void {
    this.cause = 'state'
    this.posture = 'closed'
    this.exports = []
    this.isForeignState = true
  }
}

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
    ? `other users can write to the state folder; remove files that are not yours, then chmod 700 it (${state})`
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

/** A token that came with a call, and the process that sent it. */
export interface PresentedToken {
  readonly token: string
  readonly pid: number
}

/** `shell/`, loaded on the first shell call: the parser is most of its size. */
export interface Shell {
  analyseShellLine(
    line: string,
    options: { background: boolean; vars?: Readonly<Record<string, string>> },
  ): { readonly acts: readonly Action[]; readonly witnessed?: readonly AttestedCommand[] }
  parsePatchActions(patch: string): readonly Action[]
  actionsOfToolShape(shape: ToolShape, readLine: (line: string) => readonly Action[]): readonly Action[]
}
