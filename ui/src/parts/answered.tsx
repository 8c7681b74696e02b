import type { ReactNode } from 'react'
import type { Answer } from '../api/use-query.ts'
import { Skeleton } from './skeleton.tsx'
import { Trouble } from './trouble.tsx'

interface Props<T> {
  readonly answer: Answer<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}

/** What was answered; until then that it is being asked, or why there is no answer. What is known stays while it is asked again. */
export function Answered<T>({ answer, rows, children }: Props<T>) {
  const { data, failure, isStale } = answer
  if (data !== undefined && !(isStale && failure))
    return <div className={isStale ? 'answer stale' : 'answer'}>{children(data)}</div>
  if (failure) return <Trouble failure={failure} again={answer.again} />
  return <Skeleton {...(rows !== undefined && { rows })} />
}
