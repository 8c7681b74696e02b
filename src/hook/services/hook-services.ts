import type { Client, Reply } from '../../clients/index.ts'
import type { Action, Event, Facts, Regex, ToolShape } from '../../engine/index.ts'
import type { AttestedCommand } from '../../engine/shell/index.ts'
import type { FailureMode, GateExport, LoadedPolicy } from '../../policy/index.ts'
import type { Store } from '../../store/index.ts'
import type { Deadline } from '../budget/deadline.ts'
import type { debugTrace } from '../reply/debug-trace.ts'
import type { CodeGateProcesses } from '../subhooks/code-gates.ts'
import type { Folders } from './folders.ts'

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
  readonly arrivedAt?: number | undefined
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
  readonly shell: () => ShellAnalyser
  readonly policy: (root: string, cwd: string) => LoadedPolicy | RequiresOneShot
  /** without the project's layers, if need be only the built-in policy: used when the full policy cannot be loaded */
  readonly stronger: (root: string) => LoadedPolicy
  /** writes the trace of gates with `debug`; loaded when a policy has one */
  readonly debugTrace: () => typeof debugTrace
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
export interface FailureContext {
  event?: Event | undefined
  root?: string
  gateExports?: readonly GateExport[]
  /** the policy's failure mode, once it is loaded */
  failureMode?: FailureMode
  /** with bypasses and the approval applied */
  policy?: Pick<LoadedPolicy, 'program'>
  /** what the current phase depends on */
  cause: 'input' | 'state' | 'time' | undefined
  /** the state folder is not this user's alone, so nothing is written there either */
  isForeignState: boolean
  /** the call, after decoding with the client that really sent it */
  call: HookCall
}

/** A token that came with a call, and the process that sent it. */
export interface PresentedToken {
  readonly token: string
  readonly pid: number
}

/** `shell/`, loaded on the first shell call: the parser is most of its size. */
export interface ShellAnalyser {
  analyseShellLine(
    line: string,
    options: { background: boolean; vars?: Readonly<Record<string, string>> },
  ): { readonly acts: readonly Action[]; readonly attested?: readonly AttestedCommand[] }
  parsePatchActions(patch: string): readonly Action[]
  analysePowershellLine(line: string): readonly Action[]
  actionsOfToolShape(shape: ToolShape, readLine: (line: string) => readonly Action[]): readonly Action[]
}
