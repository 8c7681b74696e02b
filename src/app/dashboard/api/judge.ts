import type { Decision, GateState } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { PolicyError } from '../../../policy/index.ts'
import type { ExplainedDecision } from './decision.ts'

/** An event to be judged: typed, recorded, or as an agent sends it. Exactly one of `event`, `payload`, `record`. */
export interface JudgeRequest {
  readonly project?: string
  /** whose; `situation.clients` lists them. Not for a record, which has its own */
  readonly client?: string
  /** a shell line, or the short form of policy tests: `write: src/a.ts`, `{ shell: git push, as: reviewer }` */
  readonly event?: string
  /** a payload as the agent's hook gets it */
  readonly payload?: JsonObject
  /** the number of a record */
  readonly record?: number
  /** who calls: an agent, or `unknown` */
  readonly as?: string
  /** states of gates, by name or id */
  readonly given?: Readonly<Record<string, GateState>>
  /** the project's policy file as it might be: judged in its place, written nowhere */
  readonly policy?: string
}

export interface JudgeReply {
  /** whose policy answered */
  readonly project: string
  readonly now: PlaygroundVerdict
  /** with the draft; absent without one */
  readonly draft?: PlaygroundVerdict & {
    readonly problems: readonly PolicyError[]
    readonly warnings: readonly PolicyError[]
  }
}

/** One payload may be several events; the answer is the strictest. */
export interface PlaygroundVerdict {
  readonly decision: Decision
  readonly explained: readonly ExplainedDecision[]
}
