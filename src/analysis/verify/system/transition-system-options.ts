import type { Event, Program, Regex } from '../../../engine/index.ts'
import type { Environment } from '../abstraction/input-partitioning/environment-partition.ts'
import type { PolicyConstants } from '../abstraction/input-partitioning/policy-constants.ts'
import type { SampleCall } from '../abstraction/input-partitioning/sample-calls.ts'
import type { CallRelevance, EventRelevance } from './agent-action.ts'
import type { ClientProfile } from './client-profile.ts'

/** What a world is made of: gates, a kind of client, and all that may be called in it. */
export interface TransitionSystemOptions {
  readonly program: Program
  readonly view: ClientProfile
  readonly calls: readonly SampleCall[]
  readonly agents: readonly string[]
  readonly constants: PolicyConstants
  readonly regex: Regex
  readonly root: string
  /** variables that are set */
  readonly env: Environment
  /** calls whose end may come while another is made */
  readonly late: ReadonlySet<SampleCall>
  /** calls that are made though nothing speaks of them, where somebody counts them or looks at the clock */
  readonly counted: ReadonlySet<SampleCall>
  /** another session may begin */
  readonly shares: boolean
  /** every prompt may be refused: nobody works before one was let through */
  readonly rests: boolean
  /** how an approval is asked for, where that may be refused */
  readonly order?: SampleCall | undefined
  /** where in a call anything speaks of it; where that is not known, everywhere */
  bearing(call: SampleCall, by: string): CallRelevance | undefined
  /** does anything speak of the event? */
  hearing(event: Event): EventRelevance
}
