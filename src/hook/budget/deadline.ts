/** Why a walk is broken off when its time is over. */
export class DeadlineExceeded extends Error {}

/** What a timer can hold. */
const LONGEST_MS = 2 ** 31 - 1

/** The time of one event in a process that stays, and does not end with it. */
export class Deadline {
  /** rejected when nobody waits any longer */
  readonly passed: Promise<never>
  #timer: NodeJS.Timeout | undefined
  #fail: (why: Error) => void = () => {}
  #isOver = false

  /** `came`: on the process's own clock, as the time it has. */
  constructor(
    private readonly came: number,
    ms: number,
  ) {
    this.passed = new Promise((_, fail) => {
      this.#fail = fail
    })
    // nobody may be listening any more
    this.passed.catch(() => {})
    this.setTo(ms)
  }

  isOver(): boolean {
    return this.#isOver
  }

  setTo(ms: number): void {
    clearTimeout(this.#timer)
    const left = Math.min(this.came + ms - process.uptime() * 1000, LONGEST_MS)
    this.#timer = setTimeout(() => this.breakOff(new DeadlineExceeded(`no answer within ${ms / 1000} s`)), left)
  }

  breakOff(why: Error): void {
    this.#isOver = true
    this.#fail(why)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
