import type { CallSeries, EventNumbers, GateRow, RuleRow, StoppedCall } from '../../../audit/stats/index.ts'

/** Numbers of a period, as in `signalbox stats --json`, and current problems. */
export interface Overview {
  readonly period: { readonly from: number; readonly to: number }
  /** the start of the statistics; null if nothing is counted */
  readonly since: number | null
  readonly sessions: number
  /** block rate, latency percentiles, denials and more */
  readonly totals: EventNumbers
  /** calls and denied calls, per hour for up to two days, else per day */
  readonly series: CallSeries
  /** the 95th percentile of the latency in ms, for each part of `series`; null if nothing was measured */
  readonly p95: readonly (number | null)[]
  /** the twelve rules and routes that matched most, busiest first */
  readonly top: readonly RuleRow[]
  readonly gates: readonly GateStatistics[]
  /** rules in the policy that did not match in the period; `lastAt` is their last match */
  readonly unmatched: readonly RuleRow[]
  readonly overridden: readonly RuleRow[]
  /** agents denied at least five times within the last hour that have not ended or done something else since; in all projects */
  readonly stuck: readonly AgentStop[]
  /** errors in the period that belong to no known project, such as a hook called with wrong arguments */
  readonly strayErrors: number
  /** counting progress: `upTo` of `of` records; pages can ask again while it is behind */
  readonly counted: { readonly upTo: number; readonly of: number; readonly latencyErrorPercent: number }
  /** the policy cannot be read, so `unmatched` is incomplete */
  readonly problem?: string
}

/** A gate's numbers, and how often it stopped an agent on each of the last seven days (today last). */
export interface GateStatistics extends GateRow {
  readonly week: readonly number[]
}

/** An agent stopped at a gate. */
export type AgentStop = StoppedCall
