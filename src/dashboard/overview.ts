import type { Gate } from '../core/index.ts'
import { messageOf } from '../pattern/index.ts'
import { type Book, type GateRow, latencySeries, periodOf, stopsByDay, stopsOf, summaryOf } from '../stats/index.ts'
import { rootOnRecord, type TrailReader } from '../store/index.ts'
import type { GateNumbers, Overview } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk } from './desk.ts'
import { projectsOf } from './projects.ts'
import type { Query } from './query.ts'
import { Refusal } from './refusal.ts'
import { isNoLongerStuck } from './stuck-sessions.ts'

const COUNT_MS = 60
const MOST_TOP = 12
const MOST_STUCK = 50
const DAYS = 7
/** who was refused longer ago does something else by now, or nothing any more */
const STUCK_MS = 3_600_000

export function overview(archive: Archive, desk: Desk, root: string, query: Query): Overview {
  const { gates, problem } = gatesOf(desk, root)
  const period = periodIn(query)
  const project = rootOnRecord(root)
  const told = (trail: TrailReader | undefined) =>
    archive.book(trail, COUNT_MS, book => {
      const {
        counted,
        rules,
        by: _,
        groups: __,
        ...summary
      } = summaryOf(book, { ...period, by: 'rule', policy: gates, project })
      const top = rules.filter(({ fired }) => fired > 0).sort((a, b) => b.fired - a.fired)
      return {
        ...summary,
        p95: latencySeries(book, summary.series, { ...period, project }),
        top: top.slice(0, MOST_TOP),
        gates: withWeek(book, summary.gates, project),
        stuck: stuckNow(archive, trail, book),
        counted: {
          upTo: counted.upTo,
          of: trail?.last() ?? 0,
          latencyErrorPercent: counted.latencyErrorPercent,
        },
        strayErrors: counted.unplacedErrors,
        ...(problem !== undefined && { problem }),
      }
    })
  return archive.read(told) ?? told(undefined)
}

/** Wherever it is: who is stuck waits for somebody to look. Not for ever: it ends with its session, when the agent goes on, or after a while. */
function stuckNow(archive: Archive, trail: TrailReader | undefined, book: Book): Overview['stuck'] {
  if (!trail) return []
  const roots = projectsOf(archive).map(({ root }) => root)
  const now = Date.now()
  const found = stopsOf(book, { from: now - 2 * STUCK_MS, to: now, most: MOST_STUCK, stuck: true })
  const fresh = found.filter(({ last }) => last > now - STUCK_MS)
  const stuck = fresh.filter(stop => !isNoLongerStuck(archive, trail, stop))
  return stuck.map(stop => ({
    ...stop,
    // on record it may be without what was secret in it
    ...(stop.project !== undefined && {
      project: roots.find(one => rootOnRecord(one) === stop.project) ?? stop.project,
    }),
  }))
}

export function periodIn(query: Query) {
  const period = periodOf(query.text('since'), query.text('until'), Date.now())
  if (typeof period === 'string') throw new Refusal(400, period.replace(/`--(since|until) /g, '`$1='))
  return period
}

/** Statistics need no policy. */
export function gatesOf(
  desk: Desk,
  root: string,
): { readonly gates: readonly Gate[]; readonly problem?: string | undefined } {
  try {
    return { gates: desk.open(root).policy.program.gates }
  } catch (error) {
    return { gates: [], problem: `the policy here cannot be read: ${messageOf(error)}` }
  }
}

/** With how often each stopped an agent on each of the last seven days, as days are here; today last. */
export function withWeek(book: Book, rows: readonly GateRow[], project: string): readonly GateNumbers[] {
  const today = new Date()
  const days = Array.from({ length: DAYS }, (_, nth) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (DAYS - 1 - nth)).getTime(),
  )
  const found = stopsByDay(book, days, project)
  return rows.map(row => ({ ...row, week: found.get(row.gate) ?? days.map(() => 0) }))
}
