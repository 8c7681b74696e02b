import type { Gate } from '../core/index.ts'
import type { Book } from './book.ts'
import { type GateRow, gateRows } from './gates.ts'
import { ERROR_PERCENT } from './histogram.ts'
import { type Numbers, numbersOf } from './numbers.ts'
import type { Period } from './period.ts'
import { firstHour, hasParts, lastFired, type Question, read, unplaced } from './read.ts'
import { isDead, isOverridden, type RuleRow, ruleRows } from './rules.ts'
import { type Series, seriesOf } from './series.ts'
import { sumsOf } from './sums.ts'

export const BY = ['gate', 'rule', 'route', 'client', 'session'] as const
export type By = (typeof BY)[number]

export interface GroupRow extends Numbers {
  /** a client, or a client and a session */
  readonly group: string
}

/** Everything `signalbox stats --json` says. Times are milliseconds since 1970. */
export interface Summary {
  /** where; null: everywhere */
  readonly project: string | null
  readonly period: Period
  /** since when anything is counted; null: nothing is */
  readonly since: number | null
  readonly sessions: number
  readonly totals: Numbers
  readonly series: Series
  readonly gates: readonly GateRow[]
  readonly by: By
  readonly rules: readonly RuleRow[]
  readonly groups: readonly GroupRow[]
  readonly dead: readonly RuleRow[]
  readonly overridden: readonly RuleRow[]
  readonly counted: {
    readonly upTo: number
    /** records that were removed before they were counted, and such as cannot be read */
    readonly missed: number
    readonly unreadable: number
    /** events of the period that nobody knows the project of, where a project is asked for */
    readonly unplaced: number
    /** of these such as failed: a hook that was called wrongly */
    readonly unplacedErrors: number
    /** percentiles are never too low, and so many percent too high at most */
    readonly latencyErrorPercent: number
  }
}

export interface Asked extends Question {
  readonly by: By
  /** the gates in force here, those that somebody wrote and those that are always there */
  readonly policy: readonly Gate[]
  /** the built-in ones are told of too, where they had nothing to say */
  readonly all?: boolean
}

export function summaryOf(book: Book, asked: Asked): Summary {
  const { by, policy, all, from, to, project, client, session } = asked
  const found = read(book, { ...asked, apart: by === 'client' || by === 'session' ? by : undefined })
  const { missed = 0, unreadable = 0, seq = 0 } = book.position ?? {}
  const since = firstHour(book, project)
  const isHere = project !== undefined && session === undefined
  // what one agent, or one session, did not meet is not dead: others may have
  const isWhole = isHere && client === undefined
  const isOnlyHere = isHere && policy.length > 0 && !hasParts(book, project)
  const own = isHere ? policy.filter(gate => all || gate.layer !== 'built-in').map(gate => gate.id) : []
  const isTold = ({ gate, fired }: { readonly gate: string; readonly fired: number }) => fired > 0 || own.includes(gate)
  const gates = gateRows(found, policy, isOnlyHere).filter(
    one => isTold(one) || one.latencyMs.count > 0 || one.errors > 0,
  )
  const stray = project === undefined ? { events: 0, errors: 0 } : unplaced(book, asked)
  const rules = ruleRows(found, policy, lastFired(book, asked), isOnlyHere).filter(isTold)
  return {
    project: project ?? null,
    period: { from, to },
    since: since ?? null,
    sessions: found.sessions,
    totals: numbersOf(sumsOf(found.counts)),
    series: seriesOf(found.hours, { from: Math.max(from, Math.min(since ?? from, to)), to }),
    gates,
    by,
    rules: by === 'rule' || by === 'route' ? rules.filter(({ kind }) => by === 'rule' || kind === 'route') : [],
    groups: [...found.groups]
      .map(([group, sums]) => ({ group, ...numbersOf(sums) }))
      .sort((a, b) => b.denied - a.denied || b.invocations - a.invocations || (a.group < b.group ? -1 : 1)),
    dead: isWhole ? rules.filter(isDead) : [],
    overridden: isWhole ? rules.filter(isOverridden) : [],
    counted: {
      upTo: seq,
      ...{ missed, unreadable },
      ...{ unplaced: stray.events, unplacedErrors: stray.errors },
      latencyErrorPercent: ERROR_PERCENT,
    },
  }
}
