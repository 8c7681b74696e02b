import type { Client } from '../../clients/index.ts'
import type { Regex } from '../../engine/index.ts'
import type { FailureMode, LoadedPolicy } from '../../policy/index.ts'
import type { Store } from '../../store/index.ts'
import type { PresentedToken } from '../approval/verify-approval.ts'
import type { Deadline } from '../budget/deadline.ts'
import type { Shell } from '../events/actions.ts'
import type { Folders } from './folders.ts'

/** One call of the hook, as the client made it. */
export interface HookCall {
  readonly client: Client
  readonly text: string
  /** the same as it came, byte for byte: what sub-hooks are given */
  readonly bytes: Uint8Array
  /** the client's own event name, from the command line */
  readonly event?: string | undefined
  readonly onError?: FailureMode | undefined
  /** which of several registrations called: a word each, none for the person's own */
  readonly via?: string | undefined
  /** of this very call: a process that takes over from another one has the same. Nobody else can know it */
  readonly call?: string | undefined
  /** of the hook's own process, where another one answers for it */
  readonly pid?: number | undefined
  /** no part of the environment: nobody whom the hook starts is given it */
  readonly approval?: PresentedToken | undefined
  /** it came by a hook that was registered for another client */
  readonly borrowed?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: number
  /** when the call came, on the process's own clock; absent: the process began for it */
  readonly came?: number | undefined
  /** in a process that stays, which does not end with its time */
  readonly deadline?: Deadline | undefined
  /** told how long the answer may take, in ms since the event came: sub-hooks have their own time */
  readonly answerBy?: ((ms: number) => void) | undefined
  /** told of a thread that may not end: the exit would wait for it */
  readonly stuck?: (() => void) | undefined
}

/** What the pipeline works with: opened once, used for every event. */
export interface HookServices {
  readonly folders: Folders
  /** one that is served */
  readonly client: (id: string) => Client
  readonly store: Store
  readonly regex: Regex
  readonly shell: () => Shell
  readonly policy: (root: string, cwd: string) => LoadedPolicy
  /** without what the project brings, and if need be what is built in alone: where the policy cannot be had */
  readonly stronger: (root: string) => LoadedPolicy
  /** the file that code gates run in */
  readonly codeWorker: string
}
