import type { JsonObject } from '../pattern/index.ts'
import type { Decision } from '../router/index.ts'
import type { Fault, TroubleKind } from './trouble.ts'

/** How a task is put: a slash command, an agent's work, a question that changes nothing, a skill. */
export const MODES = ['command', 'agent', 'prompt', 'skill'] as const
export type Mode = (typeof MODES)[number]

export interface Spent {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly costUsd?: number
}

/** What a backend tells while it works, in one form for all of them. */
export type Told =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'step'; readonly text: string; readonly file?: string }
  /** `more`: a piece of what it is saying */
  | { readonly kind: 'said'; readonly text: string; readonly more?: boolean }
  | { readonly kind: 'spent'; readonly spent: Spent }
  | { readonly kind: 'ended'; readonly ok: boolean; readonly text?: string }
  /** what a failure would be due to, by its own account; work that goes on takes it back */
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** it will not get better by waiting */
  | { readonly kind: 'trouble'; readonly trouble: TroubleKind; readonly why: string }

/** An agent that does tasks without a person: how its program is started, and what it says. As of the versions in `test/real-clients`. */
export interface Backend {
  readonly id: string
  readonly title: string
  readonly program: string
  /** how to get the program, and how to sign in */
  readonly install: string
  readonly signIn: string
  /** intents it is the first choice for, where the policy has no order */
  readonly suits: readonly Decision['intent'][]
  /** where its slash commands and skills are: `*` stands for the name; from the project and from the home */
  readonly commands: readonly string[]
  readonly skills: readonly string[]
  /** variables by which its processes know their session: one that is started out of it is none of them */
  readonly session: RegExp
  /** The task goes in by stdin: a task is no option, and nobody sees it among the processes. */
  launch(task: { readonly mode: Mode }): Launch
  /** One line of its output. */
  hear(line: JsonObject): readonly Told[]
  /** One line that is not JSON, or of stderr. */
  overhear?(line: string): readonly Told[]
}

export interface Launch {
  readonly args: readonly string[]
  /** behind what the policy adds */
  readonly last?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}
