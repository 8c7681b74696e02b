import type { CallSeries, EventNumbers, GateRow, RuleRow } from '../../../audit/stats/index.ts'

/** Numbers of a period: those of `signalbox stats --json`, and what is going on now. */
export interface Overview {
  readonly period: { readonly from: number; readonly to: number }
  /** since when anything is counted; null: nothing is */
  readonly since: number | null
  readonly sessions: number
  /** block rate, latency percentiles, refusals … */
  readonly totals: EventNumbers
  /** calls and refused calls, by hour up to two days, else by day */
  readonly series: CallSeries
  /** milliseconds that 95 % of the events of each part of `series` were answered within; null: none was measured */
  readonly p95: readonly (number | null)[]
  /** rules and routes that spoke most, the busiest first; twelve at most */
  readonly top: readonly RuleRow[]
  readonly gates: readonly GateStatistics[]
  /** in the policy, and silent all the period; `lastAt` says when they last spoke */
  readonly dead: readonly RuleRow[]
  readonly overridden: readonly RuleRow[]
  /** refused five times and more within the hour, with no way out found, and neither over nor at something else since; in all projects */
  readonly stuck: readonly AgentStop[]
  /** events of the period that failed for nobody knows which project: a hook that was called wrongly */
  readonly strayErrors: number
  /** how far records are counted: `upTo` of `of`; pages may ask again while it is behind */
  readonly counted: { readonly upTo: number; readonly of: number; readonly latencyErrorPercent: number }
  /** the policy cannot be read: dead rules are not told */
  readonly problem?: string
}

/** A gate's numbers, and how often it stopped an agent on each of the last seven days, today last. */
export interface GateStatistics extends GateRow {
  readonly week: readonly number[]
}

/** An agent stopped at a gate. */
export interface AgentStop {
  /** its root folder; absent where it is not known */
  readonly project?: string
  readonly client: string
  readonly session: string
  readonly gate: string
  readonly rule: string
  readonly at: number
  readonly last: number
  readonly tries: number
  /** null: not over, or never known to be */
  readonly outcome: 'fixed' | 'bypassed' | null
}
