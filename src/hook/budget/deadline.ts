/** Thrown when the time of an event is over. */
export class DeadlineExceeded extends Error {}

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1

/** The time limit of one event in the daemon, which does not exit when it is over. */
export class Deadline {
  /** rejected when the time is over or the event is aborted */
  readonly passed: Promise<never>
  /** nobody waits for the reply */
  isAbandoned = false
  #timer: NodeJS.Timeout | undefined
  #fail: (why: Error) => void = () => {}
  #isOver = false

  /** `came` and `ms` are on the process's own clock. */
  constructor(
    private readonly arrivedAt: number,
    ms: number,
  ) {
    this.passed = new Promise((_, fail) => {
      this.#fail = fail
    })
    // avoids an unhandled rejection if nothing waits for it
    this.passed.catch(() => {})
    this.setTo(ms)
  }

  isOver(): boolean {
    return this.#isOver
  }

  setTo(ms: number): void {
    clearTimeout(this.#timer)
    const left = Math.min(this.arrivedAt + ms - process.uptime() * 1000, LONGEST_MS)
    this.#timer = setTimeout(() => this.abort(new DeadlineExceeded(`no reply within ${ms / 1000} s`)), left)
  }

  /** The client hung up and used its failure answer: the event must have no other effect. */
  abandon(): void {
    this.isAbandoned = true
    this.abort(new Error('the agent no longer waits for it'))
  }

  abort(why: Error): void {
    this.#isOver = true
    this.#fail(why)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
