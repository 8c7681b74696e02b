import { useCallback, useRef, useState } from 'react'
import type { JudgeReply, JudgeRequest } from '../../../../src/app/dashboard/api.ts'
import { ApiError, type ApiFailure, postJson } from '../../api/request.ts'

export type AssumedStates = NonNullable<JudgeRequest['given']>

export interface Playground {
  readonly reply: JudgeReply | undefined
  readonly failure: ApiFailure | undefined
  readonly isAsking: boolean
  readonly ask: (request: JudgeRequest) => void
  readonly clear: () => void
}

const NOTHING = { reply: undefined, failure: undefined, isAsking: false }

/** A new request aborts the previous one. */
export function usePlayground(): Playground {
  const [state, setState] = useState<Omit<Playground, 'ask' | 'clear'>>(NOTHING)
  const running = useRef<AbortController>(undefined)
  const ask = useCallback((request: JudgeRequest) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setState(before => ({ ...before, isAsking: true }))
    postJson<JudgeReply>('/api/judge', request, stop.signal).then(
      reply => setState({ reply, failure: undefined, isAsking: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        const failure: ApiFailure =
          error instanceof ApiError ? error.failure : { kind: 'refused', error: String(error) }
        setState({ reply: undefined, failure, isAsking: false })
      },
    )
  }, [])
  const clear = useCallback(() => {
    running.current?.abort()
    setState(NOTHING)
  }, [])
  return { ...state, ask, clear }
}
