import { useSyncExternalStore } from 'react'

/** One shared clock for all relative times. */
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  // the clock stops while there are no subscribers
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const listener of listeners) listener()
  }, 5000)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
