import { useSyncExternalStore } from 'react'

/** The server answers (`here`), does not answer (`gone`), or does not know this browser (`locked`). */
export type ConnectionState = 'here' | 'gone' | 'locked'

let line: ConnectionState = 'here'
const listeners = new Set<() => void>()

export function setConnectionState(now: ConnectionState): void {
  if (now === line) return
  line = now
  for (const listener of listeners) listener()
}

const subscribe = (changed: () => void): (() => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useConnectionState = (): ConnectionState => useSyncExternalStore(subscribe, () => line)
