import type { CallStatus, EvaluationResult, Event, Session } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import type { SampleCall } from '../abstraction/residual-condition.ts'
import type { SystemState } from './state/system-state.ts'

/** One step: a call from beginning to end, an event without a call, or passing time. */
export interface SystemStep {
  /** `main`, the type of an agent, `person`, `client` or `time` */
  readonly actor: string
  readonly call?: SampleCall
  /** how the call ended: refused, declined by a person, its end not reported, still running, or its status */
  readonly ending?: 'refused' | 'declined' | 'unreported' | 'running' | CallStatus
  /** the end of a call that was pending while others were made */
  readonly endsPendingCall?: boolean
  /** a second session begins and shares the project gates */
  readonly startsSession?: boolean
  /** an event without a call */
  readonly event?: Event
  /** the agent's answer or the tool's output, as JSON */
  readonly answer?: Json
  /** the client sent a permission request before the call ended */
  readonly asksPermission?: boolean
  /** a person begins a turn or a session where every prompt may be refused */
  readonly startsWork?: boolean
  /** the client sent no event for the agent's stop */
  readonly isUnreported?: boolean
  readonly seconds?: number
  /** name of a gate that a person opens */
  readonly openedGate?: string
}

/** Are these the same step? If `wanted` has no end, any end except a refusal matches. */
export function isSameStep(wanted: SystemStep, other: SystemStep): boolean {
  if (wanted.ending === undefined ? other.ending === 'refused' : wanted.ending !== other.ending) return false
  return stepKey(wanted) === stepKey(other)
}

const stepKey = ({
  actor,
  call,
  event,
  answer,
  asksPermission,
  isUnreported,
  seconds,
  openedGate,
  endsPendingCall,
  startsSession,
}: SystemStep): string =>
  JSON.stringify([
    actor,
    call?.shorthand,
    call?.isApproved,
    event?.kind,
    event?.prompt,
    answer,
    asksPermission,
    isUnreported,
    seconds,
    openedGate,
    endsPendingCall,
    startsSession,
  ])

/** One step and the state it leads to. */
export interface StateTransition {
  readonly step: SystemStep
  readonly to: SystemState
  /** evaluation results of its events, in order */
  readonly results: readonly EvaluationResult[]
  /** the session before it was reduced to a canonical state */
  readonly unreduced?: Session
}
