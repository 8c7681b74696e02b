import type { CallStatus, Event } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import type { SampleCall } from '../abstraction/input-partitioning/sample-calls.ts'

/** One thing that happens: a call from its beginning to its end, or an event without a call, or time. */
export interface SystemStep {
  /** `main`, the type of an agent, `person`, `client` or `time` */
  readonly by: string
  readonly call?: SampleCall
  /** how the call went: `refused`, `left` (begun, and nobody told of its end), `begun` (its end is still to come), or as it ended */
  readonly end?: 'refused' | 'left' | 'asked' | 'begun' | CallStatus
  /** the end of a call that was begun before others */
  readonly late?: boolean
  /** another session begins, and shares what is the project's */
  readonly another?: boolean
  /** an event without a call */
  readonly event?: Event
  /** what the agent answered, or the tool put out, as JSON */
  readonly answer?: Json
  /** the client asked for permission in between */
  readonly permission?: boolean
  /** a person wants to begin a turn, or a session, where every prompt may be refused */
  readonly begins?: boolean
  /** the stop of the agent was not told of */
  readonly untold?: boolean
  readonly seconds?: number
  /** id of a gate that a person opens */
  readonly opens?: string
}

/** Is it the same thing that happens? Where the first does not say how it ended, any end but a refusal will do. */
export function isSameStep(wanted: SystemStep, other: SystemStep): boolean {
  if (wanted.end === undefined ? other.end === 'refused' : wanted.end !== other.end) return false
  return stepKey(wanted) === stepKey(other)
}

const stepKey = ({ by, call, event, answer, permission, untold, seconds, opens, late, another }: SystemStep): string =>
  JSON.stringify([
    by,
    call?.short,
    call?.approved,
    event?.kind,
    event?.prompt,
    answer,
    permission,
    untold,
    seconds,
    opens,
    late,
    another,
  ])
