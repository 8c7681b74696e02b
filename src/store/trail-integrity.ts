import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../pattern/index.ts'
import { linkHash } from './audit.ts'
import { BEGAN_AGAIN, GONE, hasBegun, isNewBeginning } from './beginnings.ts'
import { HeadFile } from './head.ts'
import type { Link } from './head-lines.ts'
import { parse } from './sound.ts'
import { TrailReader } from './trail-reader.ts'

/**
 * What a look at both ends of the trail tells: a database that is gone, records that were cut off, an earlier database that was lost. For
 * pages and for `status`: `audit verify` walks the whole chain. Undefined: nothing shows, or it cannot be read.
 */
export function trailProblem(state: string, beginnings?: string): string | undefined {
  const outside = new HeadFile(join(state, 'audit-head')).read()
  if (!existsSync(join(state, 'signalbox.db'))) {
    if (outside && outside.seq > 0)
      return `the database is missing, with ${outside.seq === 1 ? 'the record' : `the ${outside.seq} records`} in it`
    return !outside && hasBegun(beginnings, state) ? GONE : undefined
  }
  const trail = TrailReader.open(state)
  if (!trail) return outside && outside.seq > 0 ? `${recordsTo(outside.seq)} missing` : undefined
  try {
    const last = trail.last()
    if (last > 0 && !outside) return 'the file `audit-head`, which vouches for the records, is missing'
    if (outside && outside.seq > last) return `${recordsFrom(last + 1, outside.seq)} cut off`
    if (outside?.twice !== undefined) return `record ${outside.twice} was written twice: records after it were cut off`
    if (outside?.lost !== undefined)
      return `the file \`audit-head\`, which vouches for the records, was taken away before record ${outside.lost}`
    if (outside?.strange) return `${recordsFrom(outside.strange.from, outside.strange.to)} not written by Signalbox`
    return lostBefore(trail)
  } finally {
    trail.close()
  }
}

const recordsTo = (to: number): string => recordsFrom(1, to)
const recordsFrom = (from: number, to: number): string =>
  from === to ? `record ${from} is` : `records ${from} to ${to} are`

/** The first record of a database that took the place of another says so. */
function lostBefore(trail: TrailReader): string | undefined {
  const { seq } = trail.anchor()
  const [first] = trail.after(seq, 1)
  if (seq === 0) return first && isNewBeginning(parse(first.json)) ? BEGAN_AGAIN : undefined
  const record = first?.json.includes('"anchor"') ? parse(first.json) : undefined
  const isLoss = isObject(record) && record.client === 'signalbox' && record.name !== 'audit.retention'
  return isLoss ? `${recordsTo(seq)} lost with an earlier database` : undefined
}

/** Walks the chain a page at a time, and goes on with what is new: a record that somebody changed in the middle is found after a while. */
export class ChainWalk {
  #at: Link | undefined

  /** True: this was the last page. A flaw is thrown. */
  next(trail: TrailReader, most: number): boolean {
    const anchor = trail.anchor()
    const from = this.#at && this.#at.seq >= anchor.seq ? this.#at : anchor
    let before = from
    const page = trail.after(before.seq, most)
    for (const { seq, hash, json } of page) {
      if (seq !== before.seq + 1) throw new ChainFlaw(`${recordsFrom(before.seq + 1, seq - 1)} missing`)
      if (linkHash(before.hash, seq, json) !== hash) throw new ChainFlaw(`record ${seq} is not as it was written`)
      before = { seq, hash }
    }
    this.#at = before
    return page.length < most
  }
}

export class ChainFlaw extends Error {}
