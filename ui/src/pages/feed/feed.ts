import type { CallResult, DecisionPage, DecisionRow } from '../../../../src/app/dashboard/api.ts'

/** The rows of the feed, newest first, and the rows that wait until the reader scrolls up. */
export interface Feed {
  readonly rows: readonly DecisionRow[]
  readonly held: readonly DecisionRow[]
  /** the number of new rows; larger than `held` if there were too many to keep */
  readonly waiting: number
  /** load older rows before this number; null at the end */
  readonly before: number | null
  /** the newest record searched */
  readonly last: number
  /** too many rows to hold: the rows after the held ones must be loaded again */
  readonly isCut: boolean
  /** rows that the server skipped; they load when the reader scrolls down */
  readonly skipped: number
}

export const EMPTY_FEED: Feed = { rows: [], held: [], waiting: 0, before: null, last: 0, isCut: false, skipped: 0 }

/** The most rows kept. Rows that are cut off can be loaded again. */
const MOST = 5000

export const feedFromPage = ({ rows, before, last }: DecisionPage): Feed => ({ ...EMPTY_FEED, rows, before, last })

export const appendOlder = (feed: Feed, { rows, before }: DecisionPage): Feed => ({
  ...feed,
  rows: [...feed.rows, ...rows],
  before,
})

/** `rows` are oldest first. */
export function prependNewer(feed: Feed, rows: readonly DecisionRow[], last: number, isPaused: boolean): Feed {
  const top = feed.held[0]?.n ?? feed.rows[0]?.n ?? 0
  const fresh = rows.filter(one => one.n > top).reverse()
  const known = { ...feed, last: Math.max(feed.last, last) }
  if (fresh.length === 0) return known
  const all = [...fresh, ...feed.held]
  const waiting = {
    ...{ ...known, held: all.slice(0, MOST), waiting: feed.waiting + fresh.length },
    isCut: feed.isCut || all.length > MOST,
  }
  return isPaused ? waiting : releaseWaiting(waiting)
}

interface End {
  readonly n: number
  readonly ended: CallResult
}

/** Adds how calls ended to the shown and held rows. */
export function withEnds(feed: Feed, ends: readonly End[]): Feed {
  const known = new Map(ends.map(({ n, ended }) => [n, ended]))
  const merge = (rows: readonly DecisionRow[]): readonly DecisionRow[] =>
    rows.some(({ n }) => known.has(n))
      ? rows.map(row => ({ ...row, ...(known.has(row.n) && { ended: known.get(row.n) ?? 'unknown' }) }))
      : rows
  const [rows, waiting] = [merge(feed.rows), merge(feed.held)]
  return rows === feed.rows && waiting === feed.held ? feed : { ...feed, rows, held: waiting }
}

/** Skipped rows come before any later row, so the rows from there on are loaded again. */
export const countSkipped = (feed: Feed, n: number): Feed => ({
  ...{ ...feed, held: [], waiting: 0, isCut: true, skipped: feed.skipped + feed.waiting + n },
})

export function releaseWaiting(feed: Feed): Feed {
  if (feed.held.length === 0) return feed
  const all = feed.isCut ? feed.held : [...feed.held, ...feed.rows]
  const rows = all.slice(0, MOST)
  const isCut = feed.isCut || rows.length < all.length
  const before = isCut ? (rows.at(-1)?.n ?? null) : feed.before
  return { ...feed, rows, held: [], waiting: 0, isCut: false, skipped: 0, before }
}
