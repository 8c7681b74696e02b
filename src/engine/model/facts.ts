import type { Json, JsonObject } from '../../lib/json.ts'
import type { Verdict } from './verdict.ts'

/** What the world looked like when the event came in, gathered before the transaction: `evaluate` asks for nothing else. */
export interface Facts {
  /** milliseconds since 1970 */
  readonly now: number
  /** only the variables the program names */
  readonly env: Readonly<Record<string, string | undefined>>
  /** the project root, absolute */
  readonly root: string
  readonly home?: string
  /** JSON found in the event's answer: as it stands, and with one wrapping taken off */
  readonly parsed?: readonly Json[]
  /** the call carries a valid approval */
  readonly approved?: boolean
  /** what the sub-hooks said, by layer and position */
  readonly replies?: readonly SubHookReply[]
  /** the call's input is this, by a sub-hook's word: the event was read again with it */
  readonly rewrite?: { readonly by: string; readonly input: JsonObject }
}

export interface SubHookReply {
  /** `hook:layer/n` */
  readonly from: string
  readonly verdict: Verdict
  /** how it failed, or what of its reply is not passed on, in one line that names it */
  readonly problem?: string
}

export const subHookProblems = ({ replies = [] }: Facts): readonly string[] => replies.flatMap(one => one.problem ?? [])
