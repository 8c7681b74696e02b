import { useEffect, useRef } from 'react'
import type { StreamEvents } from '../../../src/app/dashboard/api.ts'
import { setConnectionState } from './connection-state.ts'
import { parseJson } from './parse-json.ts'
import { getJson, type Query, withQuery } from './request.ts'
import { currentToken } from './token.ts'

export type StreamListeners = { readonly [Name in keyof StreamEvents]?: (data: StreamEvents[Name]) => void }

const RETRY_MS = 2000
const NAMES = ['beat', 'decisions', 'ends', 'skipped', 'trouble'] as const

/** Receives decisions live. The browser reconnects by itself; if it gave up, we open a new stream. */
export function useStream(query: Query, listening: StreamListeners): void {
  const address = withQuery('/api/stream', query)
  const latest = useRef(listening)
  latest.current = listening

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let source: EventSource | undefined
    const open = (): void => {
      const own = new EventSource(`${address}${address.includes('?') ? '&' : '?'}key=${currentToken()}`)
      source = own
      own.onopen = () => setConnectionState('here')
      own.onerror = () => {
        // any request updates the connection state: whether the server is there and knows us
        void getJson('/api/situation').catch(() => {})
        if (own.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS)
      }
      for (const name of NAMES) own.addEventListener(name, event => dispatch(name, event.data, latest.current))
    }
    open()
    return () => {
      clearTimeout(timer)
      source?.close()
    }
  }, [address])
}

function dispatch<Name extends keyof StreamEvents>(name: Name, data: string, listening: StreamListeners): void {
  listening[name]?.(parseJson<StreamEvents[Name]>(data))
}
