import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, type ApiFailure, getJson, type Query, withQuery } from './request.ts'

export interface QueryResult<T> {
  /** the last data, also while it is requested again */
  readonly data: T | undefined
  readonly failure: ApiFailure | undefined
  readonly isStale: boolean
  readonly again: () => void
}

interface Options<T> {
  /** repeats the request after this time while the page is visible; may depend on the data */
  readonly everyMs?: number | ((data: T) => number | undefined)
}

const RETRY_MS = 1500
const CACHE_SIZE = 60

/** The last data of each address, shown again while the server does not answer. */
const cache = new Map<string, unknown>()

function keep(address: string, data: unknown): void {
  cache.delete(address)
  cache.set(address, data)
  const [oldest] = cache.keys()
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest)
}

/** Requests data and keeps it current. A null path requests nothing. If the server is gone, retries until it answers. */
export function useQuery<T>(path: string | null, query: Query = {}, { everyMs }: Options<T> = {}): QueryResult<T> {
  const address = path === null ? null : withQuery(path, query)
  const [state, setState] = useState<{ of: string; data?: T; failure?: ApiFailure }>({ of: '' })
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound(n => n + 1), [])
  const everyRef = useRef(everyMs)
  everyRef.current = everyMs

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` is what asks again
  useEffect(() => {
    if (address === null) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (ms: number): void => {
      timer = setTimeout(() => (document.hidden ? later(ms) : again()), ms)
    }
    getJson<T>(address, stop.signal).then(
      data => {
        keep(address, data)
        setState({ of: address, data })
        const every = everyRef.current
        const ms = typeof every === 'function' ? every(data) : every
        if (ms !== undefined) later(ms)
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        const failure: ApiFailure =
          error instanceof ApiError ? error.failure : { kind: 'refused', error: 'the response cannot be parsed' }
        // safe cast: an address always returns the same type
        const known = failure.kind === 'gone' ? (cache.get(address) as T | undefined) : undefined
        setState(({ of, data }) => {
          const last = of === address ? (data ?? known) : known
          return { of: address, failure, ...(last !== undefined && { data: last }) }
        })
        if (failure.kind === 'gone') later(RETRY_MS)
        else if (failure.kind === 'locked') later(2 * RETRY_MS)
        else if (failure.status !== undefined && failure.status >= 500) later(4 * RETRY_MS)
      },
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [address, round, again])

  const isStale = state.of !== address
  return { data: state.data, failure: isStale ? undefined : state.failure, isStale, again }
}
