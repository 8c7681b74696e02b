import { type ParsedRecord, parseRecord } from '../../../audit/index.ts'
import type { AuditLogReader, RawRecord } from '../../../store/index.ts'
import { BLOCK_SIZE, blockOf, type RecordLookup, readBlock } from './lookup.ts'
import type { KeyRange } from './lookup-keys.ts'
import { createTimeBudget } from './time-budget.ts'

export interface RecordMatcher {
  /** keys of matching records, see `lookupRangesOf` */
  readonly keys: readonly (readonly KeyRange[])[]
  /** a quick test of the raw JSON before it is parsed; false only if the record cannot match */
  readonly couldBe?: (json: string) => boolean
  readonly is: (found: ParsedRecord) => boolean
}

export interface ScanResult {
  /** newest first */
  readonly found: readonly ParsedRecord[]
  /** continue before this number; null at the end */
  readonly before: number | null
  readonly scanned: number
  readonly unread: readonly number[]
}

/** Searches backwards from `before` until enough records match or the time is up. */
export function scanBackwards(
  auditLog: AuditLogReader,
  lookup: RecordLookup,
  wanted: RecordMatcher,
  {
    before,
    after = 0,
    most,
    ms,
  }: { readonly before: number; readonly after?: number; readonly most: number; readonly ms: number },
): ScanResult {
  const isOver = createTimeBudget(ms)
  const mayHold = lookup.mayHold(wanted.keys)
  const oldest = blockOf(Math.max(auditLog.anchor().seq, after) + 1)
  const sieve = new MatchCollector(wanted, most)
  let looked = 0
  for (let block = blockOf(Math.min(before, auditLog.last() + 1) - 1); block >= oldest; block--) {
    if (!mayHold(block)) continue
    if (isOver()) return { ...sieve, before: (block + 1) * BLOCK_SIZE, scanned: looked }
    const records = readBlock(auditLog, block).filter(({ seq }) => seq > after && seq < before)
    looked += records.length
    for (const raw of [...records].reverse()) if (sieve.add(raw)) return { ...sieve, before: raw.seq, scanned: looked }
  }
  return { ...sieve, before: null, scanned: looked }
}

/** Collects matching records. */
class MatchCollector {
  readonly found: ParsedRecord[] = []
  readonly unread: number[] = []
  readonly #wanted: RecordMatcher
  readonly #most: number

  constructor(wanted: RecordMatcher, most: number) {
    this.#wanted = wanted
    this.#most = most
  }

  /** True if enough records were found. */
  add(raw: RawRecord): boolean {
    if (this.#wanted.couldBe?.(raw.json) === false) return false
    const found = parseRecord(raw)
    if (!found) this.unread.push(raw.seq)
    else if (this.#wanted.is(found)) this.found.push(found)
    return this.found.length >= this.#most
  }
}
