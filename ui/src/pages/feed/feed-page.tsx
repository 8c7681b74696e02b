import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { EmptyPage } from '../../parts/empty-page.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useStatus } from '../../parts/status.tsx'
import { href, navigate, useRoute } from '../../route/route.ts'
import { DecisionView } from './decision-view.tsx'
import { FeedList } from './feed-list.tsx'
import { FeedHead, FeedRow } from './feed-row.tsx'
import { FeedState } from './feed-state.tsx'
import { filterOf, hasFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { foldRows } from './fold.ts'
import { useFeed } from './use-feed.ts'

const NEAR_END = 600

/** Live decisions. While the reader is in the list, new rows wait. */
export function FeedPage() {
  const route = useRoute()
  const scroller = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const [isDown, setDown] = useState(false)
  const [seq] = route.rest
  const isNumber = /^\d{1,15}$/.test(seq ?? '')
  const open = isNumber ? Number(seq) : undefined
  const feed = useFeed(filterOf(route), isOver || isDown || open !== undefined)
  const { rows, waiting, before, isBegun, isLoading, failure, more, release } = feed
  const items = useMemo(() => foldRows(rows, open), [rows, open])
  const openAt = open === undefined ? -1 : items.findIndex(({ row }) => row.n === open)
  const isPaused = isOver || isDown || open !== undefined

  useEffect(() => {
    if (!isPaused) release()
  }, [isPaused, release])

  const look = useCallback(() => {
    const box = scroller.current
    if (!box) return
    setDown(box.scrollTop > 4)
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END) more()
  }, [more])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came may leave room for more
  useEffect(look, [look, items])

  const isFiltered = hasFilter(filterOf(route))
  const { data: situation, again } = useStatus()
  // why it is not live, or no longer
  // biome-ignore lint/correctness/useExhaustiveDependencies: `isBlind` is what asks again
  useEffect(again, [feed.isBlind])
  const root = situation?.project
  const isBlind = feed.isBlind || situation?.auditLog.problem !== undefined || situation?.empty?.cause === 'lost'
  const query = Object.fromEntries(route.query)
  const latest = useRef({ open, query })
  latest.current = { open, query }
  const toggle = useCallback((n: number) => {
    const now = latest.current
    // so that the browser's back button closes the row
    if (now.open === n) navigate(href(['feed'], now.query), { replace: true })
    else navigate(href(['feed', String(n)], now.query), { replace: now.open !== undefined })
  }, [])
  // back to the list; text fields handle Escape themselves
  useKeys(
    useMemo(
      () => ({
        Escape: () => {
          const now = latest.current
          if (now.open !== undefined) navigate(href(['feed'], now.query), { replace: true })
          else if (now.query.text !== undefined)
            navigate(href(['feed'], { ...now.query, text: undefined }), { replace: true })
        },
      }),
      [],
    ),
  )
  const toTop = (): void => {
    release()
    scroller.current?.scrollTo(0, 0)
    if (open !== undefined) navigate(href(['feed'], query), { replace: true })
  }

  return (
    <div className="page tall feed">
      <div className="head">
        <h1>Feed</h1>
        <FeedState
          waiting={waiting}
          skipped={feed.skipped}
          isPaused={isPaused}
          isBlind={isBlind}
          isConnected={feed.isConnected}
          toTop={toTop}
        />
      </div>
      <Filters row={rows[0]} />
      {items.length > 0 && <FeedHead />}
      <div
        className="feed-box"
        ref={scroller}
        data-scroller
        onScroll={look}
        onPointerEnter={event => event.pointerType === 'mouse' && setOver(true)}
        onPointerLeave={() => setOver(false)}
      >
        {open !== undefined && openAt < 0 && isBegun && (
          <section className="pinned" aria-label={`Decision ${open}`}>
            <h2>
              Decision {open} {isFiltered && <span className="quiet">is hidden by the current filters</span>}
            </h2>
            <DecisionView n={open} />
          </section>
        )}
        {seq !== undefined && !isNumber && <EmptyPage title="No such decision">Choose a decision below.</EmptyPage>}
        {failure && !isBegun && <FailureNotice failure={failure} again={() => {}} />}
        {!isBegun && !failure && <Skeleton rows={14} />}
        <FeedList
          scroller={scroller}
          label="Decisions, newest first"
          items={items}
          keyOf={one => one.oldest}
          openAt={openAt}
          row={(one, isOpen) => <FeedRow folded={one} isOpen={isOpen} root={root} toggle={toggle} />}
          below={open !== undefined && <DecisionView key={open} n={open} />}
        />
        {isBegun && before === null && items.length === 0 && <NoRows />}
        {isBegun && before !== null && <p className="feed-end quiet">{isLoading ? 'Searching older records…' : ' '}</p>}
        {isBegun && before === null && items.length > 0 && <p className="feed-end quiet">No more decisions.</p>}
      </div>
    </div>
  )
}

/** Shown if there are no records at all, or none that match. */
function NoRows() {
  const route = useRoute()
  const { data } = useStatus()
  if (data?.empty) return <EmptyState empty={data.empty} />
  if (!hasFilter(filterOf(route)))
    return <EmptyPage title="Registered, no calls yet">New decisions appear here automatically.</EmptyPage>
  return (
    <EmptyPage title="No decision matches">
      Remove a filter, or <a href={href(['feed'])}>show all decisions</a>.
    </EmptyPage>
  )
}
