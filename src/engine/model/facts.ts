import type { Json, JsonObject } from '../../lib/json.ts'
import type { Verdict } from './verdict.ts'

/** All that an evaluation may know about the machine. Gathered before the transaction; `evaluate` asks for nothing else. */
export interface Facts {
  /** milliseconds since 1970 */
  readonly now: number
  /** only the variables the program names */
  readonly env: Readonly<Record<string, string | undefined>>
  /** the project root, absolute */
  readonly root: string
  readonly home?: string
  /** JSON found in the event's answer: as it stands, and with one wrapping removed */
  readonly parsed?: readonly Json[]
  /** the call carries a valid approval */
  readonly approved?: boolean
  /** replies of the sub-hooks, by layer and position */
  readonly replies?: readonly SubHookReply[]
  /** the call's input as a sub-hook rewrote it; the event was parsed again with it */
  readonly rewrite?: { readonly by: string; readonly input: JsonObject }
}

export interface SubHookReply {
  /** `hook:layer/n` */
  readonly from: string
  readonly verdict: Verdict
  /** how the sub-hook failed, or which part of its reply is not passed on: one line that names the sub-hook */
  readonly problem?: string
}

export const subHookProblems = ({ replies = [] }: Facts): readonly string[] => replies.flatMap(one => one.problem ?? [])
