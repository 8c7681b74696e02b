import type { Gate } from '../core/index.ts'
import type { Book } from './book.ts'
import { type GateRow, gateRows } from './gates.ts'
import { ERROR_PERCENT } from './histogram.ts'
import { type Numbers, numbersOf } from './numbers.ts'
import type { Period } from './period.ts'
import { firstHour, lastFired, type Question, read } from './read.ts'
import { isDead, isOverridden, type RuleRow, ruleRows } from './rules.ts'
import { type Series, seriesOf } from './series.ts'

export const BY = ['gate', 'rule', 'route', 'client', 'session'] as const
export type By = (typeof BY)[number]

export interface GroupRow extends Numbers {
  /** a client, or a client and a session */
  readonly group: string
}

/** Everything `signalbox stats --json` says. Times are milliseconds since 1970. */
export interface Summary {
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
    /** percentiles are never too low, and so many percent too high at most */
    readonly latencyErrorPercent: number
  }
}

export interface Asked extends Question {
  readonly by: By
  /** the gates in force, those that somebody wrote and those that are always there */
  readonly policy: readonly Gate[]
  /** the built-in ones are told of too, where they had nothing to say */
  readonly all?: boolean
}

export function summaryOf(book: Book, asked: Asked): Summary {
  const { by, policy, all, from, to } = asked
  const found = read(book, { ...asked, apart: by === 'client' || by === 'session' ? by : undefined })
  const { missed = 0, unreadable = 0, seq = 0 } = book.position ?? {}
  const since = firstHour(book)
  const own = policy.filter(gate => all || gate.layer !== 'built-in').map(gate => gate.id)
  const isTold = ({ gate, fired }: { readonly gate: string; readonly fired: number }) => fired > 0 || own.includes(gate)
  const gates = gateRows(found, policy).filter(one => isTold(one) || one.latencyMs.count > 0 || one.errors > 0)
  const rules = ruleRows(found, policy, lastFired(book)).filter(isTold)
  return {
    period: { from, to },
    since: since ?? null,
    sessions: found.sessions,
    totals: numbersOf(found.counts),
    series: seriesOf(found.hours, { from: Math.max(from, Math.min(since ?? from, to)), to }),
    gates,
    by,
    rules: by === 'rule' || by === 'route' ? rules.filter(({ kind }) => by === 'rule' || kind === 'route') : [],
    groups: [...found.groups]
      .map(([group, counts]) => ({ group, ...numbersOf(counts) }))
      .sort((a, b) => b.denied - a.denied || b.invocations - a.invocations || (a.group < b.group ? -1 : 1)),
    dead: rules.filter(isDead),
    overridden: rules.filter(isOverridden),
    counted: { upTo: seq, missed, unreadable, latencyErrorPercent: ERROR_PERCENT },
  }
}
