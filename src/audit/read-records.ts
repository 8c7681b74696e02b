import type { AuditLogReader, RawRecord } from '../store/index.ts'
import { matchRecord, type RecordFilter } from './filter.ts'
import type { ParsedRecord } from './parsed-record.ts'

const PAGE_SIZE = 1000

export interface RecordPage {
  /** oldest first */
  readonly found: readonly ParsedRecord[]
  /** sequence number of the newest record read */
  readonly last: number
  readonly scanned: number
  /** sequence numbers of records that cannot be parsed */
  readonly unread: readonly number[]
}

/** The latest matching records, read backwards from the end of the audit log. */
export function readLatestRecords(reader: AuditLogReader, filter: RecordFilter, most: number): RecordPage {
  const found: ParsedRecord[] = []
  const unread: number[] = []
  let before = Number.MAX_SAFE_INTEGER
  let last = 0
  let looked = 0
  while (found.length < most) {
    const page = reader.before(before, PAGE_SIZE)
    let isYoung = false
    for (const raw of page) {
      const one = matchRecord(raw, filter)
      if (one === 'unread') unread.push(raw.seq)
      else if (one && found.length < most) found.push(one)
      isYoung ||= mayBeSince(raw, filter)
    }
    last = Math.max(last, page[0]?.seq ?? 0)
    looked += page.length
    before = page.at(-1)?.seq ?? 0
    // Records are in order of time, except for a few that were spooled: a whole page before `since` means the rest is older too.
    if (page.length < PAGE_SIZE || !isYoung) break
  }
  // With `most` 0 no page is read, but the caller still follows from the end of the log.
  return { found: found.reverse(), last: last || reader.last(), scanned: looked, unread: unread.reverse() }
}

function mayBeSince({ json }: RawRecord, { since }: RecordFilter): boolean {
  if (since === undefined) return true
  const at = Number(/^\{"at":(\d+)/.exec(json)?.[1])
  return Number.isNaN(at) || at >= since
}

/** All matching records, oldest first, one page at a time. */
export function* readRecordPages(reader: AuditLogReader, filter: RecordFilter, after = 0): Generator<RecordPage> {
  for (let seq = after; ; ) {
    const page = reader.after(seq, PAGE_SIZE)
    if (page.length === 0) return
    seq = page.at(-1)?.seq ?? seq
    const read = page.map(raw => ({ raw, one: matchRecord(raw, filter) }))
    yield {
      found: read.flatMap(({ one }) => (one === undefined || one === 'unread' ? [] : [one])),
      last: seq,
      scanned: page.length,
      unread: read.flatMap(({ raw, one }) => (one === 'unread' ? [raw.seq] : [])),
    }
  }
}
