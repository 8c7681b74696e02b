import type { EvaluationResult, Event, EventKind, Facts, Program, Regex, Session } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import type { Environment } from '../abstraction/input-partitioning/environment-partition.ts'
import type { PolicyConstants } from '../abstraction/input-partitioning/policy-constants.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import type { CallRelevance, EventRelevance } from './agent-action.ts'
import type { ClientProfile } from './client-profile.ts'
import type { StateSpace } from './state/state-space.ts'

/** The parts of a transition system: gates, a client profile and everything that can be called. */
export interface TransitionSystemOptions {
  readonly program: Program
  readonly profile: ClientProfile
  readonly calls: readonly SampleCall[]
  readonly agents: readonly string[]
  readonly constants: PolicyConstants
  readonly regex: Regex
  readonly root: string
  /** environment variables that are set */
  readonly env: Environment
  /** calls that may still run while another call is made */
  readonly asyncCalls: ReadonlySet<SampleCall>
  /** calls that are made although no gate reacts to them, if a gate counts operations or waits for time */
  readonly fillerCalls: ReadonlySet<SampleCall>
  /** a second session may begin */
  readonly hasSecondSession: boolean
  /** every prompt may be refused, so the main agent waits until one is allowed */
  readonly mayRefuseEveryPrompt: boolean
  /** the call that requests an approval, if a gate may refuse it */
  readonly approvalRequest?: SampleCall | undefined
  /** which parts of a call gates react to; undefined: all of them */
  callRelevance(call: SampleCall, actor: string): CallRelevance | undefined
  /** do gates react to the event? */
  eventRelevance(event: Event): EventRelevance
}

/** The transition system as its parts see it: they play events in it. */
export interface EventPlayer {
  readonly program: Program
  readonly profile: ClientProfile
  readonly states: StateSpace
  /** answers that a call may return */
  readonly possibleAnswers: readonly (Json | undefined)[]
  eventWithoutCall(kind: EventKind): Event
  isRelevantKind(kind: EventKind): boolean
  beginEvent(call: SampleCall, actor: string): Event
  evaluate(event: Event, session: Session, more?: Partial<Facts>): EvaluationResult
}
