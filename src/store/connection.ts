import { join } from 'node:path'
import { AuditLog, createStoreRecord } from './audit-log/audit-log.ts'
import { type ChainLink, GENESIS_LINK } from './audit-log/chain-head.ts'
import { ChainHeadFile } from './audit-log/head-file.ts'
import { isKnownStateFolder, registerStateFolder, STATE_REMOVED_NOTE } from './audit-log/known-state-folders.ts'
import type { RetentionLimits } from './audit-log/retention.ts'
import { Database } from './database.ts'
import { REPLY_TTL_MS, tryDeleteExpiredReplies } from './sessions/reply-expiry.ts'
import { UnsavedSessions } from './sessions/unsaved-sessions.ts'
import { RecordingGap } from './spool/recording-gap.ts'
import { Spool } from './spool/spool.ts'
import type { BusyRetry } from './sqlite/busy-retry.ts'
import type { LibsqlConstructor, SqlDriver } from './sqlite/driver.ts'
import { describeError, isCorruption, isFileMoved, isLockBusy, isWriteFailure } from './sqlite/errors.ts'
import type { JournalMode } from './sqlite/journal-mode.ts'
import { writeMeta } from './sqlite/meta.ts'
import { findLastQuarantined, inodeOf, isBeingQuarantined, quarantineDatabase } from './sqlite/quarantine.ts'

export interface ConnectionOptions {
  /** how `libsql` is loaded where Node has no SQLite of its own */
  readonly libsql?: () => LibsqlConstructor
  readonly journal?: JournalMode
  readonly stays?: boolean
  readonly limits?: RetentionLimits
  /** the file outside of the folder that names the folders with a trail */
  readonly beginnings?: string
}

/** What a step has left to be done after its commit. */
export interface CommitResult {
  /** the new end of the trail */
  readonly head: ChainLink | undefined
  readonly spooled: readonly string[]
}

/** Who takes the file away in this time might as well have done so right after the look. */
const FILE_CHECK_MS = 1
const RECHECK_MS = 1000

/** The database of a state folder, and what is kept beside it. Opened at the first use; a process that stays has one for all its events. */
export class Connection {
  readonly head: ChainHeadFile
  readonly spool: Spool
  readonly unwritten: RecordingGap
  readonly unsaved = new UnsavedSessions()
  private readonly file: string
  private readonly untold: string[] = []
  private open: Database | undefined
  /** of the file that was opened last */
  private inode: number | undefined
  /** when it was seen to be the current one, on the process's own clock */
  private checked = Number.NEGATIVE_INFINITY
  private wiping: NodeJS.Timeout | undefined

  constructor(
    readonly folder: string,
    readonly options: ConnectionOptions = {},
  ) {
    this.file = join(folder, 'signalbox.db')
    this.head = new ChainHeadFile(join(folder, 'audit-head'))
    this.spool = new Spool(join(folder, 'spool'))
    this.unwritten = new RecordingGap(folder)
  }

  /** A step was committed. Nothing that fails now is a fault of the state: the event was judged. */
  written({ head, spooled }: CommitResult): void {
    if (head) this.keepHead(head)
    this.unsaved.clear()
    this.unwritten.clear()
    this.wipeLater()
    if (spooled.length > 0) this.spool.remove(spooled)
  }

  get notices(): readonly string[] {
    return this.untold
  }

  notice(...notices: readonly string[]): void {
    this.untold.push(...notices)
  }

  /** They are told once, though the process may stay. */
  takeNotices(): readonly string[] {
    return this.untold.splice(0)
  }

  close(): void {
    clearTimeout(this.wiping)
    if (this.open && this.options.stays) tryDeleteExpiredReplies(this.open.driver, Date.now())
    this.open?.close()
    this.open = undefined
    this.head.close()
  }

  /** A process that stays may have nothing to do for long. */
  private wipeLater(): void {
    if (!this.options.stays || this.wiping) return
    this.wiping = setTimeout(() => {
      this.wiping = undefined
      if (this.open) tryDeleteExpiredReplies(this.open.driver, Date.now())
    }, REPLY_TTL_MS + RECHECK_MS).unref()
  }

  /**
   * A database that is damaged is set aside, once, and the work done on a new one. One that cannot be written is read, where that is enough: `look` is given
   * what was in it last. Other faults are told in one line.
   */
  use<T>(patience: BusyRetry, work: (database: Database) => T, look: (database: Database, why: string) => T): T {
    let begun = false
    const passes = (error: unknown): boolean => {
      if (isFileMoved(error) && isBeingQuarantined(this.file, this.inode)) {
        this.discard()
        return true
      }
      if (!isCorruption(error)) return isLockBusy(error)
      if (begun) return false
      begun = this.startOver()
      return true
    }
    try {
      return patience.patiently(() => work(this.database()), passes)
    } catch (error) {
      const fault = describeError(error, this.file)
      if (!isWriteFailure(error)) throw fault
      return this.withoutWriting(database => look(database, fault instanceof Error ? fault.message : ''), fault)
    }
  }

  private withoutWriting<T>(look: (database: Database) => T, fault: unknown): T {
    if (this.open?.isCurrent()) return look(this.open)
    let read: Database
    try {
      read = Database.toJudgeBy({ file: this.file, ...this.options }, this.head.read() !== undefined)
    } catch {
      throw fault
    }
    try {
      return look(read)
    } finally {
      read.close()
    }
  }

  private database(): Database {
    // an event asks several times in a row
    const now = process.uptime() * 1000
    if (this.open && now < this.checked + FILE_CHECK_MS) return this.open
    this.checked = now
    if (this.open?.isCurrent()) return this.open
    // an empty one stays locked as long as this process has it open, and that it may be even when it is closed
    if (this.open?.rescue() === false) quarantineDatabase(this.file, this.inode)
    this.discard()
    this.inode = inodeOf(this.file)
    let head: ChainLink | undefined
    this.open = Database.open({ file: this.file, ...this.options }, driver => {
      head = this.begin(driver)
    })
    // it may have been made just now
    this.inode = this.open.inode
    if (head) this.keepHead(head)
    registerStateFolder(this.options.beginnings, this.folder)
    tryDeleteExpiredReplies(this.open.driver, Date.now())
    return this.open
  }

  /** A new database that follows another one says so, in its first record and to the person, and continues its chain. */
  private begin(driver: SqlDriver): ChainLink | undefined {
    const before = this.head.read()
    this.makeHead()
    const aside = findLastQuarantined(this.file)
    const isRemoved = !before && aside === undefined
    if (isRemoved && !isKnownStateFolder(this.options.beginnings, this.folder)) return undefined
    const now = Date.now()
    const lost = aside === undefined ? 'was missing' : `was damaged and is kept as ${aside}`
    const note = isRemoved ? STATE_REMOVED_NOTE : `the stored state ${lost}; all sessions begin anew`
    this.notice(note)
    writeMeta(driver, 'reset', { at: now })
    const link = before && { seq: before.seq, hash: before.hash }
    if (link) writeMeta(driver, 'anchor', link)
    const head = new AuditLog(driver).append([createStoreRecord('store.reset', now, note, link)])
    this.announce(head, link ?? GENESIS_LINK, false)
    return head
  }

  /** False when another process is at it, or was faster. */
  private startOver(): boolean {
    this.discard()
    return quarantineDatabase(this.file, this.inode)
  }

  private discard(): void {
    try {
      this.open?.close()
    } catch {
      // what is being left behind may be broken
    }
    this.open = undefined
  }

  private makeHead(): void {
    try {
      this.head.make()
    } catch {
      // `verify` sees it
    }
  }

  /** Inside of the transaction. Nobody is refused an answer for want of this line: `verify` sees that it is missing. */
  announce(head: ChainLink, before: ChainLink, follows: boolean): void {
    try {
      this.head.announce(head, before, follows)
    } catch {
      // as said
    }
  }

  /** The step is done and will be answered. */
  private keepHead(head: ChainLink): void {
    try {
      this.head.write(head)
    } catch {
      // it was announced
    }
  }
}
