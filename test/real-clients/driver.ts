import type { LlmToolCall } from '../../src/testing/fake-llm/index.ts'
import type { Act } from './scenario.ts'

/** How one agent is driven: what its tools are called, how it is set up, how it is started. */
export interface Driver {
  /** as in `src/clients/`, and in `pinned.json` */
  readonly id: string
  /** what a canonical act is called here */
  call(act: Act, stage: Stage): LlmToolCall
  /** how a spawned agent is waited for, where that is a call of its own; `told`: what the spawn returned */
  wait?(told: string): LlmToolCall
  /** how an agent other than main gives its answer, where that is a tool */
  answer?(text: string): LlmToolCall
  /** tools that it has, but offers to a model only on request or only online */
  readonly unoffered?: readonly string[]
  /** puts the settings into place, without Signalbox */
  launch(stage: Stage): Launch
  /** how it is given Signalbox as a plugin of its own kind: its own commands */
  plugin?(stage: Pick<Stage, 'installed'>, root: string): PluginCommands
  /** how the client itself says that nobody permitted a call */
  readonly unpermitted: RegExp
}

/** A home, a project and a model of one run. */
export interface Stage {
  readonly home: string
  readonly project: string
  /** where the client was installed */
  readonly installed: string
  /** of the scripted model */
  readonly model: string
  readonly prompt: string
  /** a hook's command line in place of Signalbox, which registers itself */
  readonly hook: string | undefined
  /** agents that can be spawned */
  readonly agents: readonly string[]
  /** `allow`: the client runs tools unasked; `ask`: it would ask, and there is nobody */
  readonly permissions: 'allow' | 'ask'
}

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface PluginCommands {
  /** each ends with 0 if nothing is wrong */
  readonly validate: readonly Launch[]
  readonly install: readonly Launch[]
}
