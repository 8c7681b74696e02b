import type { Condition, EventKind, Layer, Program, TextPattern } from '../engine/index.ts'
import type { BudgetCost } from './cost-estimate.ts'
import type { Workflow } from './workflow.ts'

/** The compiled policy: the program that `evaluate` reads, and what the runtime needs besides. */
export interface Policy extends Program {
  readonly hooks: readonly SubHook[]
  /** environment variables used in conditions: `evaluate` gets no others */
  readonly env: readonly string[]
  readonly settings: PolicySettings
  /** estimated evaluation cost; absent: negligible */
  readonly weights?: readonly BudgetCost[]
  /** ids of gates that are switched off, so that a query for such a gate can say so; absent: none */
  readonly off?: readonly string[]
  /** what `signalbox route` selects; absent: not configured */
  readonly routing?: RoutingSettings
  /** what `signalbox orchestrate --workflow` runs, by name; absent: nothing */
  readonly workflows?: Readonly<Record<string, Workflow>>
  /** settings by the scope that wrote them: for the docs written for agents, not for enforcement */
  readonly sides?: OrchestrationPerOwner
}

/** `project`: the layers of the project. `user`: the user's own and the managed layers. */
export interface OrchestrationPerOwner {
  readonly project?: OrchestrationSettings
  readonly user?: OrchestrationSettings
}

export interface OrchestrationSettings {
  readonly orchestrator?: OrchestratorSettings
  readonly routing?: RoutingSettings
  readonly workflows?: Readonly<Record<string, Workflow>>
}

/** The answer for a call that cannot be judged. */
export type FailureMode = 'open' | 'closed'

export interface PolicySettings {
  readonly onError: FailureMode
  readonly budgetMs: number
  /** hours until a session without events expires */
  readonly expiryHours: number
  /** how long the audit log is kept and how large it may become, if a policy says so */
  readonly keeps?: { readonly days?: number; readonly bytes?: number } | undefined
  readonly orchestrator?: OrchestratorSettings | undefined
}

/** The time limit of a task without a `minutes` setting. */
export const DEFAULT_TASK_MINUTES = 30

/** The settings of `signalbox orchestrate`. */
export interface OrchestratorSettings {
  /** backends in order of preference: the first that fits does the task; absent: all known backends */
  readonly backends?: readonly string[]
  /** ids of the gates that an approval lifts */
  readonly lifts: readonly string[]
  readonly minutes?: number
  /** extra arguments by backend */
  readonly args?: Readonly<Record<string, readonly string[]>>
  /** a file that gets one line for each task, in addition to the audit log */
  readonly log?: string
  /** slash commands that start a task, by name */
  readonly commands?: Readonly<Record<string, WorkflowCommand>>
}

/** How a slash command turns the text after it into a task. */
export interface WorkflowCommand {
  /** one line of description for the list of commands */
  readonly about?: string
  /** the agent that leads the task, and the workflow it follows */
  readonly agent?: string
  readonly workflow?: string
  /** the text of the task: `{task}` stands for the person's words */
  readonly task?: string
  readonly backend?: string
}

/** The workflow for each intent (or one for each complexity), and the agent that leads work of several agents. */
export interface RoutingSettings {
  readonly workflows: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly leader?: string
}

/** Writes the state of a gate to files of the project after each event. */
export interface GateExport {
  readonly layer: Layer
  readonly feature: 'routing-session-state'
  /** id of the exported gate */
  readonly gate: string
  /** clients for which files are written */
  readonly on: readonly string[]
  /** path relative to the project root */
  readonly state?: string
  readonly errors?: string
}

/** A sub-hook: a command of the user's own that runs for matching events. */
export interface SubHook {
  readonly layer: Layer
  readonly events: readonly EventKind[]
  readonly when: Condition
  /** clients it runs for; absent: all clients */
  readonly clients?: readonly string[]
  /** the client's own names of the events; absent: any name */
  readonly called?: readonly string[]
  /** the client's own tool names, if the hook depends on them */
  readonly matcher?: readonly TextPattern[]
  readonly run: string
  readonly timeoutMs: number
  readonly onError: FailureMode
}
