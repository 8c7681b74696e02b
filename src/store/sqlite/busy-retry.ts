/** Below the two seconds of one event. After a longer wait the event gets the failure answer, with the reason. */
const MAX_WAIT_MS = 1400
/** An idle machine makes about this many tries in `MAX_WAIT_MS`. A process that gets less CPU time goes on until it has made them ... */
const MIN_TRIES = 200
/** ... or has run this long: after ten seconds an agent makes the call without an answer. */
const MAX_PROCESS_AGE_MS = 6500
const PAUSE_MS = 1

/** Retries while another process holds the lock. Short pauses of equal length give every process a turn. */
export class BusyRetry {
  private gaveUp = Number.NEGATIVE_INFINITY

  /** `since`: when the event arrived, for a process in which several events wait one after another. */
  constructor(private readonly since?: number) {}

  /** After a wait that failed, tries only once: an event uses the store several times, but has one deadline. */
  patiently<T>(work: () => T, passes: (error: unknown) => boolean): T {
    const waits = uptimeMs() > this.gaveUp + MAX_WAIT_MS
    const end = waits ? (this.since ?? uptimeMs()) + MAX_WAIT_MS : uptimeMs()
    // a process that stays has other events to answer
    const triesOn = waits && this.since === undefined
    for (let tries = 1; ; tries++) {
      try {
        return work()
      } catch (error) {
        if (!passes(error)) throw error
        if (uptimeMs() >= end && !(triesOn && tries < MIN_TRIES && uptimeMs() < MAX_PROCESS_AGE_MS)) {
          if (waits) this.gaveUp = end
          throw error
        }
        sleepBriefly()
      }
    }
  }
}

/** `performance` would be another module to load. */
const uptimeMs = (): number => process.uptime() * 1000

const sleepBriefly = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
