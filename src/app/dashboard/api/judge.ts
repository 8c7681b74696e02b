import type { Decision, GateState } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { PolicyError } from '../../../policy/index.ts'
import type { ExplainedDecision } from './decision.ts'

/** An event to judge: typed, recorded, or as an agent sends it. Exactly one of `event`, `payload`, `record`. */
export interface JudgeRequest {
  readonly project?: string
  /** the client's id, see `DashboardStatus.clients`; not allowed with `record`, which has its own client */
  readonly client?: string
  /** a shell line, or the short form of policy tests: `write: src/a.ts`, `{ shell: git push, as: reviewer }` */
  readonly event?: string
  /** a payload as the agent's hook gets it */
  readonly payload?: JsonObject
  /** the number of a record */
  readonly record?: number
  /** the caller: an agent, or `unknown` */
  readonly as?: string
  /** gate states, by gate name or id */
  readonly given?: Readonly<Record<string, GateState>>
  /** a draft of the project's policy file: judged in place of the file, never written */
  readonly policy?: string
}

export interface JudgeReply {
  /** the project whose policy decided */
  readonly project: string
  readonly now: PlaygroundVerdict
  /** the verdict with the draft; absent without a draft */
  readonly draft?: PlaygroundVerdict & {
    readonly problems: readonly PolicyError[]
    readonly warnings: readonly PolicyError[]
  }
}

/** One payload can be several events; `decision` is the strictest. */
export interface PlaygroundVerdict {
  readonly decision: Decision
  readonly explained: readonly ExplainedDecision[]
}
