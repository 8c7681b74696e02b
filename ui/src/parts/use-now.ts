import { useSyncExternalStore } from 'react'

/** One clock for all that tells how long ago something was. */
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  // it stood still while nobody looked
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, 5000)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
