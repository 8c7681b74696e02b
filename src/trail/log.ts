import { dayOf } from '../pattern/index.ts'
import type { Found } from './found.ts'
import { type Columns, columnsFor, headOf, lineOf, type Showing, sameness, widened } from './line.ts'

/** One line above, and nothing in it. */
const OVER_THE_LAST = '\u001b[1A\u001b[2K'

/** The log as it grows: repeats are counted in their line, and a new day has a line of its own. */
export class Log {
  #last: { readonly same: string; readonly times: number } | undefined
  #day: string
  #columns: Columns
  #isHeaded = false

  /** `rewrites`: a line that was shown can be shown again, with its count. */
  constructor(
    private readonly showing: Showing & { readonly rewrites: boolean; readonly now: number },
    private readonly write: (text: string) => void,
  ) {
    this.#day = dayOf(showing.now)
    this.#columns = columnsFor(showing)
  }

  add(found: readonly Found[]): void {
    const { rewrites, paint, width } = this.showing
    if (width === undefined) this.#columns = widened(this.#columns, found)
    if (found.length > 0 && !this.#isHeaded) this.write(`${headOf(this.#columns, this.showing)}\n`)
    this.#isHeaded ||= found.length > 0
    for (let nth = 0; nth < found.length; nth++) {
      const first = found[nth]
      if (!first) continue
      const same = sameness(first)
      let one = first
      let times = 1
      for (let next = found[nth + 1]; next && this.#isRepeat(next, one, same); next = found[nth + 1]) {
        one = next
        times++
        nth++
      }
      const isMore = rewrites && this.#last?.same === same && dayOf(first.record.at) === this.#day
      if (isMore) times += this.#last?.times ?? 0
      const day = dayOf(one.record.at)
      const head = day === this.#day ? '' : `${paint.faint(day)}\n`
      this.#day = day
      this.#last = { same, times }
      this.write(`${isMore ? OVER_THE_LAST : head}${lineOf(one, times, this.#columns, this.showing)}\n`)
    }
  }

  #isRepeat(next: Found, one: Found, same: string): boolean {
    return sameness(next) === same && dayOf(next.record.at) === dayOf(one.record.at)
  }
}
