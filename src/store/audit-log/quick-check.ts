import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../lib/json.ts'
import { parseJsonOrUndefined } from '../sqlite/driver.ts'
import type { ChainLink } from '../store.ts'
import { hashRecord } from './audit-log.ts'
import { AuditLogReader } from './audit-log-reader.ts'
import { ChainHeadFile } from './chain-head.ts'
import {
  isKnownStateFolder,
  isStateRemovedRecord,
  LOG_RESTARTED_PROBLEM,
  STATE_REMOVED_PROBLEM,
} from './known-state-folders.ts'

/**
 * Checks both ends of the audit log: a missing database, cut-off records, an earlier database that was lost. For the dashboard and
 * `status`; `audit verify` checks the whole chain. Undefined: no problem found, or the log cannot be read.
 */
export function findAuditLogProblem(state: string, beginnings?: string): string | undefined {
  const outside = new ChainHeadFile(join(state, 'audit-head')).read()
  if (!existsSync(join(state, 'signalbox.db'))) {
    if (outside && outside.seq > 0)
      return `the database is missing, with ${outside.seq === 1 ? 'the record' : `the ${outside.seq} records`} in it`
    return !outside && isKnownStateFolder(beginnings, state) ? STATE_REMOVED_PROBLEM : undefined
  }
  const auditLog = AuditLogReader.open(state)
  if (!auditLog) return outside && outside.seq > 0 ? `${describeRecordsTo(outside.seq)} missing` : undefined
  try {
    const last = auditLog.last()
    if (last > 0 && !outside) return 'the file `audit-head`, which proves that no record is missing, does not exist'
    if (outside && outside.seq > last) return `${describeRecords(last + 1, outside.seq)} missing at the end`
    if (outside?.twice !== undefined) return `record ${outside.twice} was written twice: later records were removed`
    if (outside?.firstSeqAfterRemoval !== undefined)
      return `the file \`audit-head\`, which proves that no record is missing, was removed before record ${outside.firstSeqAfterRemoval}`
    if (outside?.unannounced)
      return `${describeRecords(outside.unannounced.from, outside.unannounced.to)} not written by Signalbox`
    return findEarlierLoss(auditLog)
  } finally {
    auditLog.close()
  }
}

const describeRecordsTo = (to: number): string => describeRecords(1, to)
const describeRecords = (from: number, to: number): string =>
  from === to ? `record ${from} is` : `records ${from} to ${to} are`

/** The first record of a database that replaced another one says so. */
function findEarlierLoss(auditLog: AuditLogReader): string | undefined {
  const { seq } = auditLog.anchor()
  const [first] = auditLog.after(seq, 1)
  if (seq === 0)
    return first && isStateRemovedRecord(parseJsonOrUndefined(first.json)) ? LOG_RESTARTED_PROBLEM : undefined
  const record = first?.json.includes('"anchor"') ? parseJsonOrUndefined(first.json) : undefined
  const isLoss = isObject(record) && record.client === 'signalbox' && record.name !== 'audit.retention'
  return isLoss ? `${describeRecordsTo(seq)} lost with an earlier database` : undefined
}

/** Checks the chain page by page, then new records only. So a record changed in the middle is found after a while. */
export class IncrementalChainCheck {
  #at: ChainLink | undefined

  /** Returns true after the last page. Throws if the chain is broken. */
  next(auditLog: AuditLogReader, most: number): boolean {
    const anchor = auditLog.anchor()
    const from = this.#at && this.#at.seq >= anchor.seq ? this.#at : anchor
    let before = from
    const page = auditLog.after(before.seq, most)
    for (const { seq, hash, json } of page) {
      if (seq !== before.seq + 1) throw new ChainBrokenError(`${describeRecords(before.seq + 1, seq - 1)} missing`)
      if (hashRecord(before.hash, seq, json) !== hash) throw new ChainBrokenError(`record ${seq} was changed`)
      before = { seq, hash }
    }
    this.#at = before
    return page.length < most
  }
}

export class ChainBrokenError extends Error {}
