/** Below the two seconds of one event: who waits longer gets the declared failure answer, with the reason. */
const MAX_WAIT_MS = 1400
/** On a machine with nothing else to do that is about so many tries. A process that gets little time makes fewer, and goes on trying ... */
const MIN_TRIES = 200
/** ... until its process is so old: after ten seconds an agent makes the call without an answer. */
const MAX_PROCESS_AGE_MS = 6500
const PAUSE_MS = 1

/** Tries again while what is in the way passes (another process is at it), in small even steps: everyone gets a turn. */
export class BusyRetry {
  private gaveUp = Number.NEGATIVE_INFINITY

  /** `since`: when the event came, where several wait in one process, one after the other. */
  constructor(private readonly since?: number) {}

  /** Who has just waited in vain tries once and no more: an event asks several times, and has one deadline. */
  patiently<T>(work: () => T, passes: (error: unknown) => boolean): T {
    const waits = uptimeMs() > this.gaveUp + MAX_WAIT_MS
    const end = waits ? (this.since ?? uptimeMs()) + MAX_WAIT_MS : uptimeMs()
    // a process that stays has others to serve
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

/** `performance` is a module to load. */
const uptimeMs = (): number => process.uptime() * 1000

const sleepBriefly = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
