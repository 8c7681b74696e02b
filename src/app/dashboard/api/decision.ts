import type { Counterfactual, Explanation } from '../../../analysis/explain/index.ts'
import type { OutcomeLabel } from '../../../audit/index.ts'
import type { Decision, Event, GateState } from '../../../engine/index.ts'
import type { AuditRecord } from '../../../store/index.ts'
import type { ApiProblem } from './status.ts'

/** Which decisions to list. A list is separated by commas and matches if any of its words does; all filters must match. */
export interface DecisionFilter {
  /** `deny`, `ask`, `allow`, `pass`, `warn`, `would`, `bypass`, `error`, `test` */
  readonly decision?: string
  /** `claude-code`, or `claude` for short */
  readonly client?: string
  /** by id or by name */
  readonly gate?: string
  readonly rule?: string
  /** the id, or its beginning */
  readonly session?: string
  readonly tool?: string
  /** a subagent's id, or its type for all subagents of that type; `main` for the main agent */
  readonly subagent?: string
  /** `tool.before` */
  readonly event?: string
  readonly project?: string
  /** searched in commands, paths, reasons, notes, errors, gates, rules, subagents, sessions; ignores case, quotes and shell operators */
  readonly text?: string
  readonly since?: string
  readonly until?: string
  /** `1`: also events that no rule matched */
  readonly all?: string
}

export interface DecisionQuery extends DecisionFilter {
  /** records with a smaller number, newest first; without `before` and `after`: from the end of the audit log */
  readonly before?: number
  /** records with a greater number, starting with the oldest; the page itself is still newest first */
  readonly after?: number
  /** default 100, maximum 500 */
  readonly limit?: number
}

/** Newest first. */
export interface DecisionPage {
  readonly rows: readonly DecisionRow[]
  /**
   * The next request's `before`; null at the end. It can be set although `rows` has few or no entries: a search stops after a while,
   * and the next request continues there.
   */
  readonly before: number | null
  /** the newest record searched; pass it as `after` to get newer records */
  readonly last: number
  /** how many records were searched */
  readonly searched: number
  /** numbers of records that cannot be read */
  readonly unreadable: readonly number[]
}

/** `unknown`: the agent does not report it, or the command line hides it (`npm test | tail`). */
export type CallResult = 'ok' | 'failed' | 'unknown'

/** One line of the feed. */
export interface DecisionRow {
  readonly n: number
  readonly at: number
  /** as in `signalbox log`: `DENY`, `ASK`, `ERROR`, `warn`, `would`, `bypass`, `allow`, `opens`, `closes`, `note`, `test`, `-` */
  readonly outcome: OutcomeLabel
  readonly decision: Decision
  readonly client: string
  readonly session: string
  /** `main`, `unknown`, or the type (else the id) of a subagent */
  readonly caller: string
  /** a subagent's id, if the agent reports one */
  readonly agent?: string
  readonly event: string
  readonly tool?: string
  /** the action, in one line */
  readonly what: string
  /** the gate that `word` refers to, and its rule */
  readonly gate?: string
  readonly rule?: string
  readonly ms?: number
  readonly errors: number
  /** how the call ended, if recorded; on the record of a call's end, that end */
  readonly ended?: CallResult
  readonly moves: readonly { readonly gate: string; readonly from: GateState; readonly to: GateState }[]
}

/** One decision, as `signalbox explain N --json` shows it. */
export interface DecisionDetail {
  /** the caller's name in the session's timeline: `Explore 2` */
  readonly callerName: string
  readonly row: DecisionRow
  readonly hash: string
  readonly record: AuditRecord
  /** null if nothing to explain; `why` then gives the reason */
  readonly explained: ExplainedDecision | null
  readonly why?: string
  /** the previous and next record of the same session */
  readonly earlier: number | null
  readonly later: number | null
}

/** The explanation tree: gates, rules and transitions, conditions with expected and actual values; and the counterfactuals. */
export interface ExplainedDecision extends Omit<Explanation, 'result'> {
  readonly event: Event
  readonly counterfactuals: readonly Counterfactual[]
  readonly notes: readonly string[]
}

/**
 * `GET /api/stream`. An event's `id` is the number of the last record it covers. `Last-Event-ID` continues from there; without it the
 * stream starts at the end of the audit log.
 */
export interface StreamEvents {
  /** sent first, and after 15 seconds without other events */
  readonly beat: { readonly last: number; readonly now: number }
  /** matching rows, oldest first, at most 200 */
  readonly decisions: { readonly rows: readonly DecisionRow[]; readonly last: number }
  /** how earlier calls ended, by the number of their row; may include rows that the page does not show */
  readonly ends: { readonly ends: readonly { readonly n: number; readonly ended: CallResult }[] }
  /** the page was too slow: these records were skipped, and can be read with `GET /api/decisions` */
  readonly skipped: { readonly n: number; readonly from: number; readonly to: number }
  /** the audit log cannot be read at the moment */
  readonly trouble: ApiProblem
}
