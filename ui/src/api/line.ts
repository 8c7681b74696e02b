import { useSyncExternalStore } from 'react'

/** How it stands with the server: it answers, it does not, or it does not know this browser. */
export type Line = 'here' | 'gone' | 'locked'

let line: Line = 'here'
const listeners = new Set<() => void>()

export function setLine(now: Line): void {
  if (now === line) return
  line = now
  for (const one of listeners) one()
}

const subscribe = (changed: () => void): (() => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useLine = (): Line => useSyncExternalStore(subscribe, () => line)
