import type { ReactNode } from 'react'
import type { QueryResult } from '../api/use-query.ts'
import { FailureNotice } from './failure-notice.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<T> {
  readonly answer: QueryResult<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}

/** Shows the data, a skeleton while loading, or the failure. Known data stays visible while it is requested again. */
export function QueryView<T>({ answer, rows, children }: Props<T>) {
  const { data, failure, isStale } = answer
  if (data !== undefined && !(isStale && failure))
    return <div className={isStale ? 'answer stale' : 'answer'}>{children(data)}</div>
  if (failure) return <FailureNotice failure={failure} again={answer.again} />
  return <Skeleton {...(rows !== undefined && { rows })} />
}
