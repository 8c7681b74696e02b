import { useSyncExternalStore } from 'react'

let mark: string | undefined
let changes = 0
const listeners = new Set<() => void>()

/** The server sends a mark with each reply. It changes when the database is removed, replaced, emptied or damaged. */
export function setLogMark(now: string | null): void {
  if (now === null || now === mark) return
  const isFirst = mark === undefined
  mark = now
  if (isFirst) return
  changes += 1
  for (const listener of listeners) listener()
}

const subscribe = (changed: () => void): (() => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** How often the mark has changed. */
export const useLogChanges = (): number => useSyncExternalStore(subscribe, () => changes)
