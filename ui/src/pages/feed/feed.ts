import type { CallResult, DecisionPage, DecisionRow } from '../../../../src/app/dashboard/api.ts'

/** The rows of the feed, newest first, and the rows that wait until the reader scrolls up. */
export interface Feed {
  readonly rows: readonly DecisionRow[]
  readonly pending: readonly DecisionRow[]
  /** the number of new rows; larger than `pending` if there were too many to keep */
  readonly waiting: number
  /** load older rows before this number; null at the end */
  readonly before: number | null
  /** the newest record searched */
  readonly last: number
  /** too many rows to keep: the rows after the pending ones must be loaded again */
  readonly isCut: boolean
  /** rows that the server skipped; they load when the reader scrolls down */
  readonly skipped: number
}

export const EMPTY_FEED: Feed = { rows: [], pending: [], waiting: 0, before: null, last: 0, isCut: false, skipped: 0 }

/** The most rows kept. Rows that are cut off can be loaded again. */
const MOST = 5000

export const feedFromPage = ({ rows, before, last }: DecisionPage): Feed => ({ ...EMPTY_FEED, rows, before, last })

export const appendOlder = (feed: Feed, { rows, before }: DecisionPage): Feed => ({
  ...feed,
  rows: [...feed.rows, ...rows],
  before,
})

/** A row may come twice, by the stream and by a request, and after rows that are newer. */
export function prependNewer(feed: Feed, rows: readonly DecisionRow[], last: number, isPaused: boolean): Feed {
  const known = new Set([...feed.pending, ...feed.rows].map(({ n }) => n))
  const oldest = (feed.isCut ? (feed.pending.at(-1)?.n ?? feed.last) : feed.rows.at(-1)?.n) ?? 0
  const fresh = [...new Map(rows.map(row => [row.n, row])).values()].filter(({ n }) => n > oldest && !known.has(n))
  const seen = { ...feed, last: Math.max(feed.last, last) }
  if (fresh.length === 0) return seen
  const all = newestFirst([...fresh, ...feed.pending])
  const waiting = {
    ...{ ...seen, pending: all.slice(0, MOST), waiting: feed.waiting + fresh.length },
    isCut: feed.isCut || all.length > MOST,
  }
  return isPaused ? waiting : releaseWaiting(waiting)
}

const newestFirst = (rows: DecisionRow[]): DecisionRow[] => rows.sort((a, b) => b.n - a.n)

interface End {
  readonly n: number
  readonly ended: CallResult
}

/** Adds how calls ended to the shown and pending rows. */
export function withCallEnds(feed: Feed, ends: readonly End[]): Feed {
  const known = new Map(ends.map(({ n, ended }) => [n, ended]))
  const merge = (rows: readonly DecisionRow[]): readonly DecisionRow[] =>
    rows.some(({ n }) => known.has(n))
      ? rows.map(row => ({ ...row, ...(known.has(row.n) && { ended: known.get(row.n) ?? 'unknown' }) }))
      : rows
  const [rows, pending] = [merge(feed.rows), merge(feed.pending)]
  return rows === feed.rows && pending === feed.pending ? feed : { ...feed, rows, pending }
}

/** Skipped rows, up to `to`, come before any later row, so the rows from there on are loaded again. */
export const countSkipped = (feed: Feed, n: number, to: number): Feed => ({
  ...{ ...feed, pending: [], waiting: 0, isCut: true, skipped: feed.skipped + feed.waiting + n, last: to },
})

export function releaseWaiting(feed: Feed): Feed {
  if (feed.pending.length === 0) return feed
  const all = feed.isCut ? feed.pending : newestFirst([...feed.pending, ...feed.rows])
  const rows = all.slice(0, MOST)
  const isCut = feed.isCut || rows.length < all.length
  const before = isCut ? (rows.at(-1)?.n ?? null) : feed.before
  return { ...feed, rows, pending: [], waiting: 0, isCut: false, skipped: 0, before }
}
