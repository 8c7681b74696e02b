import type { RawRecord, TrailReader } from '../store/index.ts'
import { chosen, type Filter } from './filter.ts'
import type { Found } from './found.ts'

const PAGE = 1000

export interface Reading {
  /** oldest first */
  readonly found: readonly Found[]
  /** the newest record that was looked at */
  readonly last: number
  readonly looked: number
  /** numbers of records that cannot be read */
  readonly unread: readonly number[]
}

/** The latest that are asked for, from the end of the trail. */
export function latest(reader: TrailReader, filter: Filter, most: number): Reading {
  const found: Found[] = []
  const unread: number[] = []
  let before = Number.MAX_SAFE_INTEGER
  let last = 0
  let looked = 0
  while (found.length < most) {
    const page = reader.before(before, PAGE)
    let isYoung = false
    for (const raw of page) {
      const one = chosen(raw, filter)
      if (one === 'unread') unread.push(raw.seq)
      else if (one && found.length < most) found.push(one)
      isYoung ||= isSince(raw, filter)
    }
    last = Math.max(last, page[0]?.seq ?? 0)
    looked += page.length
    before = page.at(-1)?.seq ?? 0
    // records come in the order of their time, save some that had to wait: a whole page of old ones is the end
    if (page.length < PAGE || !isYoung) break
  }
  // who asks for none still wants to go on from the end
  return { found: found.reverse(), last: last || reader.last(), looked, unread: unread.reverse() }
}

function isSince({ json }: RawRecord, { since }: Filter): boolean {
  if (since === undefined) return true
  const at = Number(/^\{"at":(\d+)/.exec(json)?.[1])
  return Number.isNaN(at) || at >= since
}

/** All that are asked for, from the oldest on, a page at a time. */
export function* pages(reader: TrailReader, filter: Filter, after = 0): Generator<Reading> {
  for (let seq = after; ; ) {
    const page = reader.after(seq, PAGE)
    if (page.length === 0) return
    seq = page.at(-1)?.seq ?? seq
    const read = page.map(raw => ({ raw, one: chosen(raw, filter) }))
    yield {
      found: read.flatMap(({ one }) => (one === undefined || one === 'unread' ? [] : [one])),
      last: seq,
      looked: page.length,
      unread: read.flatMap(({ raw, one }) => (one === 'unread' ? [raw.seq] : [])),
    }
  }
}
