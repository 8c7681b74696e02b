import type { Json } from '../pattern/index.ts'
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
  /** what the sub-hooks said */
  readonly replies?: readonly Verdict[]
}
