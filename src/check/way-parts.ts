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

/** Who may help: a person; one who is spawned in between; or nobody but this agent. */
export interface Means {
  readonly people: boolean
  readonly spawning?: boolean
  readonly alone?: string
}
