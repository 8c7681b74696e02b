import type { Event, Program } from '../core/index.ts'
import type { Regex } from '../pattern/index.ts'
import type { Call } from './call.ts'
import type { Constants } from './constants.ts'
import type { Bearing, Hearing } from './deed.ts'
import type { Environment } from './environment.ts'
import type { View } from './view.ts'

/** What a world is made of: gates, a kind of client, and all that may be called in it. */
export interface WorldParts {
  readonly program: Program
  readonly view: View
  readonly calls: readonly Call[]
  readonly agents: readonly string[]
  readonly constants: Constants
  readonly regex: Regex
  readonly root: string
  /** variables that are set */
  readonly env: Environment
  /** calls whose end may come while another is made */
  readonly late: ReadonlySet<Call>
  /** calls that are made though nothing speaks of them, where somebody counts them or looks at the clock */
  readonly counted: ReadonlySet<Call>
  /** another session may begin */
  readonly shares: boolean
  /** every prompt may be refused: nobody works before one was let through */
  readonly rests: boolean
  /** how an approval is asked for, where that may be refused */
  readonly order?: Call | undefined
  /** where in a call anything speaks of it; where that is not known, everywhere */
  bearing(call: Call, by: string): Bearing | undefined
  /** does anything speak of the event? */
  hearing(event: Event): Hearing
}
