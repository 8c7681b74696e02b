import { isBusy } from './faults.ts'

/** Below the two seconds of one event: who waits longer gets the declared failure answer, with the reason. */
const LONGEST_MS = 1400
const PAUSE_MS = 1

/** Tries again while another process is at it, in small even steps: everyone gets a turn. */
export function patiently<T>(work: () => T): T {
  const end = Date.now() + LONGEST_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error
      pause()
    }
  }
}

const pause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
