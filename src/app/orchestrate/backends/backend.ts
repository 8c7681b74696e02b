import type { JsonObject } from '../../../lib/json.ts'
import type { RoutingDecision } from '../router/index.ts'
import type { BackendFault, BackendTroubleKind } from './trouble.ts'

/** How a task is put: a slash command, an agent's work, a question that changes nothing, a skill. */
export const TASK_MODES = ['command', 'agent', 'prompt', 'skill'] as const
export type TaskMode = (typeof TASK_MODES)[number]

export interface BackendUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly costUsd?: number
}

/** What a backend tells while it works, in one form for all of them. */
export type BackendEvent =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'step'; readonly text: string; readonly file?: string }
  /** `more`: a piece of what it is saying */
  | { readonly kind: 'said'; readonly text: string; readonly more?: boolean }
  | { readonly kind: 'spent'; readonly spent: BackendUsage }
  | { readonly kind: 'ended'; readonly ok: boolean; readonly text?: string }
  /** what a failure would be due to, by its own account; work that goes on takes it back */
  | { readonly kind: 'fault'; readonly fault: BackendFault }
  /** it will not get better by waiting */
  | { readonly kind: 'trouble'; readonly trouble: BackendTroubleKind; readonly why: string }

/** An agent that does tasks without a person: how its program is started, and what it says. As of the versions in `test/real-clients`. */
export interface Backend {
  readonly id: string
  readonly title: string
  readonly program: string
  /** how to get the program, and how to sign in */
  readonly install: string
  readonly signIn: string
  /** intents it is the first choice for, where the policy has no order */
  readonly suits: readonly RoutingDecision['intent'][]
  /** where its slash commands and skills are: `*` stands for the name; from the project and from the home */
  readonly commands: readonly string[]
  readonly skills: readonly string[]
  /** variables by which its processes know their session: one that is started out of it is none of them */
  readonly session: RegExp
  /** The task goes in by stdin: a task is no option, and nobody sees it among the processes. */
  launch(task: { readonly mode: TaskMode }): BackendLaunch
  /** One line of its output. */
  hear(line: JsonObject): readonly BackendEvent[]
  /** One line that is not JSON, or of stderr. */
  overhear?(line: string): readonly BackendEvent[]
}

export interface BackendLaunch {
  readonly args: readonly string[]
  /** behind what the policy adds */
  readonly last?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}
