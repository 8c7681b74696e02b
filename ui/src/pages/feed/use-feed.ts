import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { DecisionPage, DecisionRow } from '../../../../src/app/dashboard/api.ts'
import { ApiError, type ApiFailure, getJson, type Query, withQuery } from '../../api/request.ts'
import { useStream } from '../../api/use-stream.ts'
import {
  appendOlder,
  countSkipped,
  EMPTY_FEED,
  type Feed,
  feedFromPage,
  prependNewer,
  releaseWaiting,
  withCallEnds,
} from './feed.ts'

type Change = (feed: Feed) => Feed

const PAGE = 150
/** Draws at most four times a second, even with a thousand rows a second. */
const DRAW_MS = 250
const RETRY_MS = 1500

const failureOf = (error: unknown): ApiFailure =>
  error instanceof ApiError ? error.failure : { kind: 'refused', error: 'the response cannot be parsed' }

export interface LiveFeed extends Feed {
  readonly isBegun: boolean
  readonly isLoading: boolean
  readonly failure: ApiFailure | undefined
  /** no new rows: the audit log cannot be read */
  readonly isBlind: boolean
  /** the server has confirmed the stream */
  readonly isConnected: boolean
  readonly more: () => void
  readonly release: () => void
}

/** The feed: older pages on request, new rows from the stream. `isHeld`: new rows wait while the reader is in the list. */
export function useFeed(filter: Query, isPaused: boolean): LiveFeed {
  const [feed, change] = useReducer((state: Feed, next: Change) => next(state), EMPTY_FEED)
  const [isBegun, setBegun] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<ApiFailure>()
  const [round, setRound] = useState(0)
  const [isBlind, setBlind] = useState(false)
  const [isConnected, setConnected] = useState(false)
  const address = withQuery('/api/decisions', { ...filter, limit: PAGE })
  const waiting = useRef<{ rows: DecisionRow[]; last: number; timer?: ReturnType<typeof setTimeout> }>({
    rows: [],
    last: 0,
  })
  const paused = useRef(isPaused)
  paused.current = isPaused

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` is what asks again
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    waiting.current.rows = []
    setLoading(true)
    getJson<DecisionPage>(address, stop.signal).then(
      page => {
        change(() => feedFromPage(page))
        setBegun(true)
        setLoading(false)
        setFailure(undefined)
      },
      error => {
        if (stop.signal.aborted) return
        const why = failureOf(error)
        setFailure(why)
        setLoading(false)
        if (why.kind !== 'refused' || (why.status ?? 0) >= 500) timer = setTimeout(() => setRound(n => n + 1), RETRY_MS)
      },
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [address, round])

  const flush = useCallback(() => {
    const box = waiting.current
    const { rows: all, last: known } = box
    clearTimeout(box.timer)
    box.rows = []
    delete box.timer
    change(state => prependNewer(state, all, known, paused.current))
  }, [])

  const add = useCallback(
    (rows: readonly DecisionRow[], last: number) => {
      const box = waiting.current
      box.rows.push(...rows)
      box.last = Math.max(box.last, last)
      box.timer ??= setTimeout(flush, DRAW_MS)
    },
    [flush],
  )

  const reload = useCallback(() => setRound(n => n + 1), [])

  /** Loads rows that arrived between the first page and the stream, or while disconnected; if one request cannot, all is loaded again. */
  const catchUp = useCallback(
    (last: number, newest: number) =>
      void getJson<DecisionPage>(`${address}&after=${last}`).then(
        page => (page.last < newest ? reload() : add(page.rows, page.last)),
        reload,
      ),
    [address, add, reload],
  )

  useStream(filter, {
    beat: ({ last }) => {
      setBlind(false)
      setConnected(true)
      if (isBegun && feed.last > 0 && last > feed.last) catchUp(feed.last, last)
    },
    decisions: ({ rows, last }) => {
      setBlind(false)
      setConnected(true)
      // the audit log was restarted, and its numbers begin at 1 again
      if (last < feed.last) reload()
      else add(rows, last)
    },
    ends: ({ ends }) => {
      // the calls themselves may still wait to be drawn
      flush()
      change(state => withCallEnds(state, ends))
    },
    trouble: () => setBlind(true),
    skipped: ({ n, to }) => {
      // draw earlier rows first
      flush()
      change(state => countSkipped(state, n, to))
    },
  })

  const more = useCallback(() => {
    if (isLoading || feed.before === null) return
    setLoading(true)
    getJson<DecisionPage>(`${address}&before=${feed.before}`).then(
      page => {
        change(state => appendOlder(state, page))
        setLoading(false)
      },
      error => {
        setFailure(failureOf(error))
        setTimeout(() => setLoading(false), RETRY_MS)
      },
    )
  }, [address, feed.before, isLoading])

  const release = useCallback(() => change(releaseWaiting), [])
  return { ...feed, isBegun, isLoading, failure, isBlind, isConnected, more, release }
}
