import type { ApiProblem } from '../../../src/app/dashboard/api.ts'
import { setConnectionState } from './connection-state.ts'
import { setLogMark } from './log-mark.ts'
import { parseJson } from './parse-json.ts'
import { currentToken, takeNewStoredToken } from './token.ts'

/** Why a request failed. `gone`: no server answers; `locked`: this browser has no valid key; `refused`: the server returned an error. */
export type ApiFailure = ApiProblem & { readonly kind: 'gone' | 'locked' | 'refused'; readonly status?: number }

export class ApiError extends Error {
  constructor(readonly failure: ApiFailure) {
    super(failure.error)
  }
}

const isProblem = (value: unknown): value is ApiProblem =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'

async function failureIn(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => undefined)
  const problem = isProblem(body) ? body : { error: `the server answered ${response.status}` }
  return { ...problem, kind: response.status === 401 ? 'locked' : 'refused', status: response.status }
}

async function call(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    const headers = { ...init.headers, 'X-Signalbox-Key': currentToken() }
    response = await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    setConnectionState('gone')
    throw new ApiError({ kind: 'gone', error: 'the dashboard does not respond at this address' })
  }
  setLogMark(response.headers.get('X-Signalbox-Log'))
  if (response.ok) {
    setConnectionState('here')
    return response
  }
  if (response.status === 401 && takeNewStoredToken()) return call(path, init)
  const failure = await failureIn(response)
  setConnectionState(failure.kind === 'locked' ? 'locked' : 'here')
  throw new ApiError(failure)
}

export type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

export async function getJson<T>(address: string, signal?: AbortSignal): Promise<T> {
  const response = await call(address, signal ? { signal } : {})
  return parseJson<T>(await response.text())
}

export async function postJson<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return parseJson<T>(await response.text())
}
