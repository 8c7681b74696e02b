import type { Event, Gate, Rule } from '../core/index.ts'
import type { Opener } from './opener.ts'
import type { Known } from './possible.ts'

/** What the deed is for. */
export interface Target {
  readonly gate: Gate
  readonly opener: Opener
}

/** A rule that may have something against an event. */
export interface Objection {
  readonly rule: Rule
  readonly gate: Gate
  readonly event: Event
  readonly known: Known
  readonly approved: boolean
}

export const withOpen = (known: Known, gates: readonly Gate[]): Known =>
  new Map([...known, ...gates.map(gate => [gate.id, 'open'] as const)])

/** Who acts, and who may help. */
export interface Means {
  readonly people: boolean
  /** somebody is spawned in between */
  readonly spawning?: boolean
  /** this agent is in flight and does it all by itself: whoever spawned it waits */
  readonly alone?: string
}
