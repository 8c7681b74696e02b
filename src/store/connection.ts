import { join } from 'node:path'
import { inodeOf, statIfExists } from '../lib/files.ts'
import { AuditLog, createStoreRecord } from './audit-log/audit-log.ts'
import { ChainHeadFile, GENESIS_LINK } from './audit-log/chain-head.ts'
import { isKnownStateFolder, registerStateFolder, STATE_REMOVED_NOTE } from './audit-log/known-state-folders.ts'
import { Database, findLastQuarantined, isBeingQuarantined, quarantineDatabase } from './database.ts'
import { REPLY_TTL_MS, tryDeleteExpiredReplies } from './sessions/event-replies.ts'
import type { UnsavedSessions } from './sessions/unsaved-sessions.ts'
import { RecordingGap, Spool } from './spool/spool.ts'
import type { BusyRetry, LibsqlConstructor, SqlDriver } from './sqlite/driver.ts'
import { writeMeta } from './sqlite/driver.ts'
import { canMeanFileMoved, describeError, isCorruption, isLockBusy, isWriteFailure } from './sqlite/errors.ts'
import type { JournalMode } from './sqlite/journal-mode.ts'
import type { ChainLink, RetentionLimits } from './store.ts'

export interface ConnectionOptions {
  /** loads `libsql` where Node has no built-in SQLite */
  readonly libsql?: () => LibsqlConstructor
  readonly journal?: JournalMode
  readonly stays?: boolean
  readonly limits?: RetentionLimits
  /** the file outside the state folder that lists all folders with an audit log */
  readonly beginnings?: string
}

/** Work that is left after the commit of a step. */
export interface CommitResult {
  /** the new head of the audit log */
  readonly head: ChainLink | undefined
  readonly spooled: readonly string[]
}

/** The file is not checked again for 1 ms: a file removed in that time could as well be removed right after a check. */
const FILE_CHECK_MS = 1
const RECHECK_MS = 1000

/** The database of a state folder and the files beside it. Opened on first use; the daemon has one connection for all its events. */
export class Connection {
  readonly head: ChainHeadFile
  readonly spool: Spool
  readonly unwritten: RecordingGap
  /** undefined: everything is saved */
  unsaved: UnsavedSessions | undefined
  private readonly file: string
  private readonly unreported: string[] = []
  private open: Database | undefined
  /** inode of the database file that was opened last */
  private inode: number | undefined
  /** inode of its write-ahead log; set by the first check that finds the log */
  private log: number | undefined
  /** when the file was last checked, in milliseconds of process uptime */
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

  /** Called after the commit of a step. The event is judged by now, so a failure in here must not become a failure of the store. */
  written({ head, spooled }: CommitResult): void {
    if (head) this.keepHead(head)
    this.unsaved = undefined
    if (!this.unwritten.isNone) this.unwritten.clear()
    this.wipeLater()
    if (spooled.length > 0) this.spool.remove(spooled)
  }

  get notices(): readonly string[] {
    return this.unreported
  }

  notice(...notices: readonly string[]): void {
    this.unreported.push(...notices)
  }

  /** Returns each notice once, even in a process that stays. */
  takeNotices(): readonly string[] {
    return this.unreported.splice(0)
  }

  close(): void {
    clearTimeout(this.wiping)
    if (this.open && this.options.stays) tryDeleteExpiredReplies(this.open.driver, Date.now())
    this.open?.close()
    this.open = undefined
    this.head.close()
  }

  /** A process that stays may get no further event for a long time, so expired replies are deleted by a timer. */
  private wipeLater(): void {
    if (!this.options.stays || this.wiping) return
    this.wiping = setTimeout(() => {
      this.wiping = undefined
      if (this.open) tryDeleteExpiredReplies(this.open.driver, Date.now())
    }, REPLY_TTL_MS + RECHECK_MS).unref()
  }

  /**
   * Runs `work`. A damaged database is quarantined once, and `work` runs on a new one. If the database cannot be written, `look` gets
   * its last readable state. Other errors are thrown with a one-line description.
   */
  use<T>(patience: BusyRetry, work: (database: Database) => T, look: (database: Database, why: string) => T): T {
    let begun = false
    const passes = (error: unknown): boolean => {
      if (canMeanFileMoved(error) && isBeingQuarantined(this.file, this.inode)) {
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
    if (this.open && this.isCurrent()) return look(this.open)
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

  /**
   * False if another process has quarantined the file, or someone has deleted it or its log: this process would write to a file that
   * nobody reads. Also false for an emptied file: no other process can read it while it is open here.
   */
  private isCurrent(): boolean {
    const found = statIfExists(this.file)
    if (found?.ino !== this.inode || found?.size === 0) return false
    const log = inodeOf(`${this.file}-wal`)
    this.log ??= log
    return log === this.log
  }

  private database(): Database {
    // one event calls this several times in a row
    const now = process.uptime() * 1000
    if (this.open && now < this.checked + FILE_CHECK_MS) return this.open
    this.checked = now
    if (this.open && this.isCurrent()) return this.open
    // an emptied file stays locked while this process has it open, and maybe after closing it: move it away
    if (this.open?.rescue() === false) quarantineDatabase(this.file, this.inode)
    this.discard()
    this.inode = inodeOf(this.file)
    let head: ChainLink | undefined
    this.open = Database.open({ file: this.file, ...this.options }, driver => {
      head = this.begin(driver)
    })
    // the file may have been created just now
    this.inode = this.open.inode
    this.log = undefined
    if (head) this.keepHead(head)
    registerStateFolder(this.options.beginnings, this.folder)
    tryDeleteExpiredReplies(this.open.driver, Date.now())
    return this.open
  }

  /** A new database that replaces another one continues its hash chain, and reports the loss in its first record and in a notice. */
  private begin(driver: SqlDriver): ChainLink | undefined {
    const before = this.head.read()
    this.makeHead()
    const aside = findLastQuarantined(this.file)
    const isRemoved = !before && aside === undefined
    if (isRemoved && !isKnownStateFolder(this.options.beginnings, this.folder)) return undefined
    const now = Date.now()
    const lost = aside === undefined ? 'was missing' : `was damaged and was moved to ${aside}`
    const note = isRemoved ? STATE_REMOVED_NOTE : `the stored state ${lost}; all sessions start again`
    this.notice(note)
    writeMeta(driver, 'reset', { at: now })
    const link = before && { seq: before.seq, hash: before.hash }
    if (link) writeMeta(driver, 'anchor', link)
    const head = new AuditLog(driver).append([createStoreRecord('store.reset', now, note, link)])
    this.announce(head, link ?? GENESIS_LINK, false)
    return head
  }

  /** Returns false if another process is quarantining the file, or already has. */
  private startOver(): boolean {
    this.discard()
    return quarantineDatabase(this.file, this.inode)
  }

  private discard(): void {
    try {
      this.open?.close()
    } catch {
      // closing a broken database may fail
    }
    this.open = undefined
  }

  private makeHead(): void {
    try {
      this.head.make()
    } catch {
      // `verify` reports the missing head file
    }
  }

  /** Called inside the transaction. A failure here must not fail the event: `verify` reports the missing line. */
  announce(head: ChainLink, before: ChainLink, follows: boolean): void {
    try {
      this.head.announce(head, before, follows)
    } catch {
      // `verify` reports it
    }
  }

  /** Called when the step is committed and its reply will be sent. */
  private keepHead(head: ChainLink): void {
    try {
      this.head.write(head)
    } catch {
      // the head was announced before the commit
    }
  }
}
