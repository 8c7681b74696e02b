import type { Counterfactual, Explanation } from '../../../analysis/explain/index.ts'
import type { OutcomeLabel } from '../../../audit/index.ts'
import type { Decision, Event, GateState } from '../../../engine/index.ts'
import type { AuditRecord } from '../../../store/index.ts'
import type { ApiProblem } from './status.ts'

/** Which decisions are asked for. Lists are separated by commas and met by any of their words; all filters must be met. */
export interface DecisionFilter {
  /** `deny`, `ask`, `allow`, `pass`, `warn`, `would`, `bypass`, `error`, `canary` */
  readonly decision?: string
  /** `claude-code`; `claude` too */
  readonly client?: string
  /** by id, or by its name alone */
  readonly gate?: string
  readonly rule?: string
  /** or how its id begins */
  readonly session?: string
  readonly tool?: string
  /** a subagent's own id, or its type: every one of that type; `main`: the main agent */
  readonly subagent?: string
  /** `tool.before` */
  readonly event?: string
  readonly project?: string
  /** in commands as typed and as shown, paths, reasons, notes, errors, gates, rules, subagents and sessions; case, quotes and the signs between commands do not count */
  readonly text?: string
  readonly since?: string
  readonly until?: string
  /** `1`: those too that nobody had a word to say about */
  readonly all?: string
}

export interface DecisionQuery extends DecisionFilter {
  /** those with a smaller number, the newest of them first; without either: from the end of the trail */
  readonly before?: number
  /** those with a greater number, the oldest of them first; the page is given newest first all the same */
  readonly after?: number
  /** 100 if not said, 500 at most */
  readonly limit?: number
}

/** Newest first. */
export interface DecisionPage {
  readonly rows: readonly DecisionRow[]
  /**
   * Go on with `before` this; null: that was all. It may be there although `rows` are few or none: a search stops after a while, and the
   * next request goes on where it stopped.
   */
  readonly before: number | null
  /** the newest record that was looked at: `after` this there is only newer */
  readonly last: number
  /** how many records were looked at for it */
  readonly looked: number
  /** records that cannot be read, by number */
  readonly unread: readonly number[]
}

/** `unknown`: the agent does not say, or the line hides it (`npm test | tail`). */
export type CallResult = 'ok' | 'failed' | 'unknown'

/** One line of the feed. */
export interface DecisionRow {
  readonly n: number
  readonly at: number
  /** what came of it, as `signalbox log` says it: `DENY`, `ASK`, `ERROR`, `warn`, `would`, `bypass`, `allow`, `opens`, `closes`, `note`, `canary`, `-` */
  readonly word: OutcomeLabel
  readonly decision: Decision
  readonly client: string
  readonly session: string
  /** `main`, `unknown`, or the type (else the id) of a subagent */
  readonly caller: string
  /** a subagent's own id, where its agent tells one */
  readonly agent?: string
  readonly event: string
  readonly tool?: string
  /** what it was about, in one line */
  readonly what: string
  /** the gate that the word is about, and its rule */
  readonly gate?: string
  readonly rule?: string
  readonly ms?: number
  readonly errors: number
  /** how the call ended, where its end is on record; of the record of an end, that end itself */
  readonly ended?: CallResult
  readonly moves: readonly { readonly gate: string; readonly from: GateState; readonly to: GateState }[]
}

/** One decision, as `signalbox explain N --json` tells of it. */
export interface DecisionDetail {
  /** who acted, as its session's timeline names it: `Explore 2` */
  readonly who: string
  readonly row: DecisionRow
  readonly hash: string
  readonly record: AuditRecord
  /** null where there is nothing to explain, and `why` then says why */
  readonly explained: ExplainedDecision | null
  readonly why?: string
  /** its neighbours in the same session */
  readonly earlier: number | null
  readonly later: number | null
}

/** The tree: gates → rules and transitions → conditions, what each wanted and what it got; and what would have changed the answer. */
export interface ExplainedDecision extends Omit<Explanation, 'result'> {
  readonly event: Event
  readonly flips: readonly Counterfactual[]
  readonly notes: readonly string[]
}

/**
 * `GET /api/stream`. The `id` of an event is the number of the last record it knows of: `Last-Event-ID` goes on from there, without it the
 * stream begins at the end of the trail.
 */
export interface StreamEvents {
  /** at the beginning, and every 15 seconds without anything else */
  readonly beat: { readonly last: number; readonly now: number }
  /** oldest first, 200 at most; those that the filter lets through */
  readonly decisions: { readonly rows: readonly DecisionRow[]; readonly last: number }
  /** how calls that were sent before ended, by the number of their row; those that a page does not show are among them */
  readonly ends: { readonly ends: readonly { readonly n: number; readonly ended: CallResult }[] }
  /** too many for this page to follow: these were left out, and can be read with `GET /api/decisions` */
  readonly skipped: { readonly n: number; readonly from: number; readonly to: number }
  /** the trail cannot be read just now */
  readonly trouble: ApiProblem
}
