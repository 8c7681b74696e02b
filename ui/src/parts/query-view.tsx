import type { ReactNode } from 'react'
import type { QueryResult } from '../api/use-query.ts'
import { FailureNotice } from './failure-notice.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<T> {
  readonly answer: QueryResult<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}

/** What was answered; until then that it is being asked, or why there is no answer. What is known stays while it is asked again. */
export function QueryView<T>({ answer, rows, children }: Props<T>) {
  const { data, failure, isStale } = answer
  if (data !== undefined && !(isStale && failure))
    return <div className={isStale ? 'answer stale' : 'answer'}>{children(data)}</div>
  if (failure) return <FailureNotice failure={failure} again={answer.again} />
  return <Skeleton {...(rows !== undefined && { rows })} />
}
