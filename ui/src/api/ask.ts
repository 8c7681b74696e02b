import type { Problem } from '../../../src/dashboard/api.ts'
import { heard } from './heard.ts'
import { hasNewKey, keyNow } from './key.ts'
import { setLine } from './line.ts'

/** Why there is no answer. `gone`: nobody answers; `locked`: this browser has no key; `refused`: the server said so. */
export type Failure = Problem & { readonly kind: 'gone' | 'locked' | 'refused'; readonly status?: number }

export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error)
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'

async function failureIn(response: Response): Promise<Failure> {
  const said: unknown = await response.json().catch(() => undefined)
  const problem = isProblem(said) ? said : { error: `the server answered ${response.status}` }
  return { ...problem, kind: response.status === 401 ? 'locked' : 'refused', status: response.status }
}

async function call(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    const headers = { ...init.headers, 'X-Signalbox-Key': keyNow() }
    response = await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    setLine('gone')
    throw new Failed({ kind: 'gone', error: 'nobody answers at this address' })
  }
  if (response.ok) {
    setLine('here')
    return response
  }
  if (response.status === 401 && hasNewKey()) return call(path, init)
  const failure = await failureIn(response)
  setLine(failure.kind === 'locked' ? 'locked' : 'here')
  throw new Failed(failure)
}

export type Query = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, query: Query = {}): string {
  const said = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  )
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said)}`
}

export async function ask<T>(address: string, signal?: AbortSignal): Promise<T> {
  const response = await call(address, signal ? { signal } : {})
  return heard<T>(await response.text())
}

export async function tell<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return heard<T>(await response.text())
}
