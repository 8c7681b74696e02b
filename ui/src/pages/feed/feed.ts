import type { CallResult, DecisionPage, DecisionRow } from '../../../../src/app/dashboard/api.ts'

/** What the feed shows, newest first, and what waits until the reader looks up. */
export interface Feed {
  readonly rows: readonly DecisionRow[]
  readonly held: readonly DecisionRow[]
  /** how many came while the reader looked: more than are held, where those were too many */
  readonly waiting: number
  /** go on from here; null: that is all there is */
  readonly before: number | null
  /** the newest record that was looked at */
  readonly last: number
  /** more came than can wait: what is behind those that do is read again */
  readonly isCut: boolean
  /** too many at once: they were not sent, and are read as one scrolls down */
  readonly skipped: number
}

export const EMPTY_FEED: Feed = { rows: [], held: [], waiting: 0, before: null, last: 0, isCut: false, skipped: 0 }

/** More would be no help to anybody, and would not fit. What is cut off can be read again. */
const MOST = 5000

export const feedFromPage = ({ rows, before, last }: DecisionPage): Feed => ({ ...EMPTY_FEED, rows, before, last })

export const appendOlder = (feed: Feed, { rows, before }: DecisionPage): Feed => ({
  ...feed,
  rows: [...feed.rows, ...rows],
  before,
})

/** `rows` oldest first, as they happened. */
export function prependNewer(feed: Feed, rows: readonly DecisionRow[], last: number, isHeld: boolean): Feed {
  const top = feed.held[0]?.n ?? feed.rows[0]?.n ?? 0
  const fresh = rows.filter(one => one.n > top).reverse()
  const known = { ...feed, last: Math.max(feed.last, last) }
  if (fresh.length === 0) return known
  const all = [...fresh, ...feed.held]
  const held = {
    ...{ ...known, held: all.slice(0, MOST), waiting: feed.waiting + fresh.length },
    isCut: feed.isCut || all.length > MOST,
  }
  return isHeld ? held : releaseHeld(held)
}

interface End {
  readonly n: number
  readonly ended: CallResult
}

/** Calls that are shown, or wait, with how they ended. */
export function withEnds(feed: Feed, ends: readonly End[]): Feed {
  const known = new Map(ends.map(({ n, ended }) => [n, ended]))
  const told = (rows: readonly DecisionRow[]): readonly DecisionRow[] =>
    rows.some(({ n }) => known.has(n))
      ? rows.map(row => ({ ...row, ...(known.has(row.n) && { ended: known.get(row.n) ?? 'unknown' }) }))
      : rows
  const [rows, held] = [told(feed.rows), told(feed.held)]
  return rows === feed.rows && held === feed.held ? feed : { ...feed, rows, held }
}

/** What was left out lies behind whatever comes next: from there on it is read again. */
export const countSkipped = (feed: Feed, n: number): Feed => ({
  ...{ ...feed, held: [], waiting: 0, isCut: true, skipped: feed.skipped + feed.waiting + n },
})

export function releaseHeld(feed: Feed): Feed {
  if (feed.held.length === 0) return feed
  const all = feed.isCut ? feed.held : [...feed.held, ...feed.rows]
  const rows = all.slice(0, MOST)
  const isCut = feed.isCut || rows.length < all.length
  const before = isCut ? (rows.at(-1)?.n ?? null) : feed.before
  return { ...feed, rows, held: [], waiting: 0, isCut: false, skipped: 0, before }
}
