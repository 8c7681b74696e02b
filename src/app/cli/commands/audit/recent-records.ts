import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AuditLogReader, type AuditRecord, isCorruption, SqliteStore } from '../../../../store/index.ts'

/** The latest records of the audit log, for readers: reading creates, repairs and moves nothing. */
export interface RecentRecords {
  /** oldest first */
  readonly records: readonly AuditRecord[]
  /** why the records cannot be read, in one line */
  readonly problem?: string
}

const FIRST_BATCH = 2000
const MAX_RECORDS = 200_000

/** Reads everything since `since`, and many records before it, so that agents that call rarely are found too. */
export function readRecentRecords(state: string, since: number): RecentRecords {
  const file = join(state, 'signalbox.db')
  if (!existsSync(file)) return { records: [] }
  const store = new SqliteStore(state)
  try {
    if (isDamaged(state)) return { records: [], problem: 'the audit log is damaged; the next call starts a new one' }
    for (let last = FIRST_BATCH; ; last *= 10) {
      const records = store.records({ last }).map(({ record }) => record)
      const isWhole = records.length < last || last >= MAX_RECORDS || (records[0]?.at ?? 0) < since
      const [notice] = store.notices
      if (isWhole) return { records, ...(notice !== undefined && { problem: notice }) }
    }
  } catch (error) {
    return { records: [], problem: `the audit log cannot be read: ${error instanceof Error ? error.message : error}` }
  } finally {
    store.close()
  }
}

/**
 * Asked before the store is, which would quarantine a damaged database. A damaged file alone is no damage: what the daemon has in its
 * write-ahead log is read from there, by hooks too.
 */
function isDamaged(state: string): boolean {
  let reader: AuditLogReader | undefined
  try {
    reader = AuditLogReader.open(state)
    reader?.last()
    return false
  } catch (error) {
    if (isCorruption(error instanceof Error ? error.cause : error)) return true
    throw error
  } finally {
    reader?.close()
  }
}
