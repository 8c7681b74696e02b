import type { Condition, EventKind, Layer, Program, TextPattern } from '../engine/index.ts'
import type { BudgetCost } from './cost-estimate.ts'
import type { Workflow } from './workflow.ts'

/** The compiled policy: the program that `evaluate` reads, and what the runtime needs around it. */
export interface Policy extends Program {
  readonly hooks: readonly SubHook[]
  /** environment variables conditions look at: the only ones that reach `evaluate` */
  readonly env: readonly string[]
  readonly settings: PolicySettings
  /** what it takes to judge by it; absent: nothing that counts */
  readonly weights?: readonly BudgetCost[]
  /** ids of gates that are switched off: who asks for one is told so; absent: none */
  readonly off?: readonly string[]
  /** what `signalbox route` selects; absent: nobody says */
  readonly routing?: RoutingSettings
  /** what `signalbox orchestrate --workflow` runs, by name; absent: nothing */
  readonly workflows?: Readonly<Record<string, Workflow>>
  /** whose word it is: for what is written down for agents, not for what is in force */
  readonly sides?: TextsPerScope
}

/** Of the project's layers, and of the person's and the machine's. */
export interface TextsPerScope {
  readonly project?: ScopeTexts
  readonly user?: ScopeTexts
}

export interface ScopeTexts {
  readonly orchestrator?: OrchestratorSettings
  readonly routing?: RoutingSettings
  readonly workflows?: Readonly<Record<string, Workflow>>
}

/** Is there a gate that somebody wrote, beside those that are always there? */
export const hasUserGates = ({ gates }: Policy): boolean => gates.some(gate => gate.layer !== 'built-in')

/** What to answer when something cannot be judged. */
export type FailureMode = 'open' | 'closed'

export interface PolicySettings {
  readonly onError: FailureMode
  readonly budgetMs: number
  /** hours a silent session is kept */
  readonly expiryHours: number
  /** how far the audit trail reaches back and how large it may become, where somebody says so */
  readonly keeps?: { readonly days?: number; readonly bytes?: number } | undefined
  readonly orchestrator?: OrchestratorSettings | undefined
}

/** How long a task may take where nobody says so. */
export const DEFAULT_TASK_MINUTES = 30

/** How `signalbox orchestrate` goes about it, where somebody says so. */
export interface OrchestratorSettings {
  /** the first that fits does the task; absent: all that are known */
  readonly backends?: readonly string[]
  /** ids of the gates that an approval lifts */
  readonly lifts: readonly string[]
  readonly minutes?: number
  /** by backend */
  readonly args?: Readonly<Record<string, readonly string[]>>
  /** a file that is told of each task, beside the audit trail */
  readonly log?: string
  /** slash commands that give it a task, by name */
  readonly commands?: Readonly<Record<string, WorkflowCommand>>
}

/** What is made of the words behind a slash command. */
export interface WorkflowCommand {
  /** one line, for who chooses */
  readonly about?: string
  /** who leads it, and the workflow that is followed */
  readonly agent?: string
  readonly workflow?: string
  /** in words of its own: `{task}` stands for the person's */
  readonly task?: string
  readonly backend?: string
}

/** A workflow for an intent (or one for each complexity), and who leads work of several. */
export interface RoutingSettings {
  readonly workflows: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly leader?: string
}

/** A feature of the engine that tells of a gate in files of the project, after each event. */
export interface GateExport {
  readonly layer: Layer
  readonly feature: 'routing-session-state'
  /** id of the gate it tells of */
  readonly gate: string
  /** clients it writes files for */
  readonly on: readonly string[]
  /** from the root of the project */
  readonly state?: string
  readonly errors?: string
}

/** A sub-hook: a command of the person's own, run when it matches. */
export interface SubHook {
  readonly layer: Layer
  readonly events: readonly EventKind[]
  readonly when: Condition
  /** clients it runs for; absent: every one */
  readonly clients?: readonly string[]
  /** the client's own names of the events; absent: whatever they are called */
  readonly called?: readonly string[]
  /** the client's own names of the tools, where those decide */
  readonly matcher?: readonly TextPattern[]
  readonly run: string
  readonly timeoutMs: number
  readonly onError: FailureMode
}
