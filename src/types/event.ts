/** Public types of the events that policies are tested with: the short form of policy tests. */

import type { CallStatus, EventKind } from './gate.ts'

/** Ids of the agents that Signalbox knows. */
export type ClientId =
  | 'claude-code'
  | 'codex-cli'
  | 'copilot-cli'
  | 'cursor'
  | 'gemini-cli'
  | 'generic'
  | 'opencode'
  | 'qwen-code'

/**
 * An event in the same short form as in policy tests. Exactly one key says what happens: `shell`, `write`, `edit`, `read`, `delete`,
 * `fetch`, `spawn`, `tool`, `prompt`, `starts`, `stops`, `stop` or `payload`; or `event` alone.
 *
 * @example
 * const push: PolicyEvent = { shell: 'git push' }
 * const tested: PolicyEvent = { shell: 'npm test', after: 'succeeded' }
 * const edit: PolicyEvent = { edit: 'src/cart.ts', as: 'builder' }
 */
export interface PolicyEvent {
  /** A shell line that is about to run; with `after`, a line that has ended. */
  readonly shell?: string
  /** A file that is written. Relative paths start in the project's folder. */
  readonly write?: string
  /** A file that is edited. */
  readonly edit?: string
  /** A file that is read. */
  readonly read?: string
  /** A file that is deleted. */
  readonly delete?: string
  /** A URL that is fetched. */
  readonly fetch?: string
  /** The type of an agent that is spawned. */
  readonly spawn?: string
  /** Any other tool by its name; `input`, `path`, `url`, `command` or `agent` say with what. */
  readonly tool?: string
  /** A prompt; `source` says whose. */
  readonly prompt?: string
  /** The type of an agent that starts. */
  readonly starts?: string
  /** The type of an agent that stops; `answer` is its last message. */
  readonly stops?: string
  /** The main agent ends its turn. */
  readonly stop?: true
  /** What the agent itself sends to its hook, in place of the short form. */
  readonly payload?: Readonly<Record<string, unknown>>
  /** Another kind of event: `{ event: 'session.start' }`, `{ event: 'permission.request', shell: 'ls' }`. */
  readonly event?: EventKind
  /** The call has ended like this. Without it, the call is about to run. */
  readonly after?: CallStatus
  /** What the tool returned; needs `after`. */
  readonly output?: string
  /** The subagent that makes the call. Without it, the main agent does. */
  readonly as?: string
  /** The same as `as`. */
  readonly caller?: string
  /** Another agent than the one the policy is tested with. */
  readonly client?: ClientId
  /** More fields of the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>
  /** With `write` or `edit`: the text that it writes. */
  readonly text?: string
  /** With `tool`: the path in its input. */
  readonly path?: string
  /** With `tool`: the URL in its input. */
  readonly url?: string
  /** With `tool`: the shell line in its input. */
  readonly command?: string
  /** With `tool`: the agent type in its input. */
  readonly agent?: string
  /** With `prompt`: who wrote it. */
  readonly source?: 'user' | 'command' | 'system' | 'agent'
  /** With `stops`: the agent's last message. */
  readonly answer?: string
  /** The call runs in the background. */
  readonly background?: boolean
  /** Id of the call: the end of a call has the id of its beginning. */
  readonly id?: string
  /** Another session. */
  readonly session?: string
  /** The folder the agent works in, from the project's folder. */
  readonly cwd?: string
  /** Seconds that pass before the event. Time stands still otherwise. */
  readonly wait?: number
  /** Environment variables of the hook. */
  readonly env?: Readonly<Record<string, string | number | boolean>>
  /** The repository that the agent works in; what is not said is unknown. */
  readonly git?: { readonly branch?: string; readonly remote?: string }
  /** The model that the agent reports. */
  readonly model?: string
  /** The permission mode that the agent reports. */
  readonly permissions?: string
  /** The time of the event: `2026-11-20T17:00:00Z`. */
  readonly time?: string
  /** With `after`: exit codes that `signalbox run` attests: `{ 'npm test': 0 }`. */
  readonly signed?: Readonly<Record<string, number>>
}
