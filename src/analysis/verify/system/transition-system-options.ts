import type { Event, Program, Regex } from '../../../engine/index.ts'
import type { Environment } from '../abstraction/input-partitioning/environment-partition.ts'
import type { PolicyConstants } from '../abstraction/input-partitioning/policy-constants.ts'
import type { SampleCall } from '../abstraction/input-partitioning/sample-calls.ts'
import type { CallRelevance, EventRelevance } from './agent-action.ts'
import type { ClientProfile } from './client-profile.ts'

/** The parts of a transition system: gates, a client profile and everything that can be called. */
export interface TransitionSystemOptions {
  readonly program: Program
  readonly view: ClientProfile
  readonly calls: readonly SampleCall[]
  readonly agents: readonly string[]
  readonly constants: PolicyConstants
  readonly regex: Regex
  readonly root: string
  /** environment variables that are set */
  readonly env: Environment
  /** calls that may still run while another call is made */
  readonly late: ReadonlySet<SampleCall>
  /** calls that are made although no gate reacts to them, if a gate counts operations or waits for time */
  readonly counted: ReadonlySet<SampleCall>
  /** a second session may begin */
  readonly shares: boolean
  /** every prompt may be refused, so the main agent waits until one is allowed */
  readonly rests: boolean
  /** the call that requests an approval, if a gate may refuse it */
  readonly order?: SampleCall | undefined
  /** which parts of a call gates react to; undefined: all of them */
  bearing(call: SampleCall, by: string): CallRelevance | undefined
  /** do gates react to the event? */
  hearing(event: Event): EventRelevance
}
