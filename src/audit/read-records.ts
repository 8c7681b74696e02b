import type { AuditLogReader, RawRecord } from '../store/index.ts'
import { matchRecord, type RecordFilter } from './filter.ts'
import type { ParsedRecord } from './parsed-record.ts'

const PAGE_SIZE = 1000

export interface RecordPage {
  /** oldest first */
  readonly found: readonly ParsedRecord[]
  /** the newest record that was looked at */
  readonly last: number
  readonly looked: number
  /** numbers of records that cannot be read */
  readonly unread: readonly number[]
}

/** The latest that are asked for, from the end of the trail. */
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
    // records come in the order of their time, save some that had to wait: a whole page of old ones is the end
    if (page.length < PAGE_SIZE || !isYoung) break
  }
  // who asks for none still wants to go on from the end
  return { found: found.reverse(), last: last || reader.last(), looked, unread: unread.reverse() }
}

function mayBeSince({ json }: RawRecord, { since }: RecordFilter): boolean {
  if (since === undefined) return true
  const at = Number(/^\{"at":(\d+)/.exec(json)?.[1])
  return Number.isNaN(at) || at >= since
}

/** All that are asked for, from the oldest on, a page at a time. */
export function* readRecordPages(reader: AuditLogReader, filter: RecordFilter, after = 0): Generator<RecordPage> {
  for (let seq = after; ; ) {
    const page = reader.after(seq, PAGE_SIZE)
    if (page.length === 0) return
    seq = page.at(-1)?.seq ?? seq
    const read = page.map(raw => ({ raw, one: matchRecord(raw, filter) }))
    yield {
      found: read.flatMap(({ one }) => (one === undefined || one === 'unread' ? [] : [one])),
      last: seq,
      looked: page.length,
      unread: read.flatMap(({ raw, one }) => (one === 'unread' ? [raw.seq] : [])),
    }
  }
}
