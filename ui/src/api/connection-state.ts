import { useSyncExternalStore } from 'react'

/** How it stands with the server: it answers, it does not, or it does not know this browser. */
export type ConnectionState = 'here' | 'gone' | 'locked'

let line: ConnectionState = 'here'
const listeners = new Set<() => void>()

export function setConnectionState(now: ConnectionState): void {
  if (now === line) return
  line = now
  for (const one of listeners) one()
}

const subscribe = (changed: () => void): (() => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useConnectionState = (): ConnectionState => useSyncExternalStore(subscribe, () => line)
