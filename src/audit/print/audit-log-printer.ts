import { localDay } from '../../lib/local-time.ts'
import type { ParsedRecord } from '../parsed-record.ts'
import {
  columnHeadings,
  columnsFor,
  formatLogLine,
  type LineColumns,
  type LineDisplay,
  repeatKeyOf,
  widenColumns,
} from './log-line.ts'

/** Moves the cursor one line up and clears that line. */
const ERASE_LAST_LINE = '\u001b[1A\u001b[2K'

/** Prints the growing log: counts repeats on one line, and prints a line for each new day. */
export class AuditLogPrinter {
  #last: { readonly same: string; readonly times: number } | undefined
  #day: string
  #columns: LineColumns
  #isHeaded = false

  /** `rewrites`: the terminal allows replacing the last line to update its count. */
  constructor(
    private readonly showing: LineDisplay & { readonly rewrites: boolean; readonly now: number },
    private readonly write: (text: string) => void,
  ) {
    this.#day = localDay(showing.now)
    this.#columns = columnsFor(showing)
  }

  add(found: readonly ParsedRecord[]): void {
    const { rewrites, paint, width } = this.showing
    if (width === undefined) this.#columns = widenColumns(this.#columns, found)
    if (found.length > 0 && !this.#isHeaded) this.write(`${columnHeadings(this.#columns, this.showing)}\n`)
    this.#isHeaded ||= found.length > 0
    for (let nth = 0; nth < found.length; nth++) {
      const first = found[nth]
      if (!first) continue
      const same = repeatKeyOf(first)
      let record = first
      let times = 1
      for (let next = found[nth + 1]; next && this.#isRepeat(next, record, same); next = found[nth + 1]) {
        record = next
        times++
        nth++
      }
      const isMore = rewrites && this.#last?.same === same && localDay(first.record.at) === this.#day
      if (isMore) times += this.#last?.times ?? 0
      const day = localDay(record.record.at)
      const head = day === this.#day ? '' : `${paint.faint(day)}\n`
      this.#day = day
      this.#last = { same, times }
      this.write(`${isMore ? ERASE_LAST_LINE : head}${formatLogLine(record, times, this.#columns, this.showing)}\n`)
    }
  }

  #isRepeat(next: ParsedRecord, record: ParsedRecord, same: string): boolean {
    return repeatKeyOf(next) === same && localDay(next.record.at) === localDay(record.record.at)
  }
}
