import type { JsonObject } from '../../../lib/json.ts'
import type { RoutingDecision } from '../router/index.ts'

/** The form of a task: a slash command, agent work, a question that changes nothing, or a skill. */
export const TASK_MODES = ['command', 'agent', 'prompt', 'skill'] as const
export type TaskMode = (typeof TASK_MODES)[number]

export interface BackendUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly costUsd?: number
}

/** What a backend reports while it works, in one form for all backends. */
export type BackendEvent =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'step'; readonly text: string; readonly file?: string }
  /** `more`: one piece of a longer message */
  | { readonly kind: 'message'; readonly text: string; readonly more?: boolean }
  | { readonly kind: 'spent'; readonly spent: BackendUsage }
  | { readonly kind: 'ended'; readonly ok: boolean; readonly text?: string }
  /** the cause of a possible failure, as the backend reports it; cleared if the work goes on */
  | { readonly kind: 'fault'; readonly fault: BackendFault }
  /** a problem that waiting does not solve */
  | { readonly kind: 'trouble'; readonly trouble: BackendTroubleKind; readonly why: string }

/** An agent that does tasks without a person: how to start it and how to read its output. Matches the versions in `test/real-clients`. */
export interface Backend {
  readonly id: string
  readonly title: string
  readonly program: string
  /** how to install the program and how to sign in */
  readonly install: string
  readonly signIn: string
  /** intents it is preferred for, if the policy sets no order */
  readonly preferredIntents: readonly RoutingDecision['intent'][]
  /** paths of its slash commands and skills, in the project and in the home folder; `*` stands for the name */
  readonly commands: readonly string[]
  readonly skills: readonly string[]
  /** variables that tie a process to a session of this agent; removed when we start a backend, which is a new session */
  readonly session: RegExp
  /** How to start it. The task is sent on stdin, so it is never read as an option and is not visible in the process list. */
  launch(task: { readonly mode: TaskMode }): BackendLaunch
  /** Reads one JSON line of its output. */
  parseLine(line: JsonObject): readonly BackendEvent[]
  /** Reads one line that is not JSON, or a line of stderr. */
  parseOtherLine?(line: string): readonly BackendEvent[]
}

interface BackendLaunch {
  readonly args: readonly string[]
  /** arguments placed after the policy's own */
  readonly last?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Why a backend cannot do a task, so that another may try. */
export type BackendTroubleKind = 'missing' | 'signed-out' | 'quota' | 'hang' | 'crash'

/** The kinds that a backend can report itself. */
export type BackendFault = Extract<BackendTroubleKind, 'signed-out' | 'quota'>
