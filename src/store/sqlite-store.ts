import { join } from 'node:path'
import type { Json } from '../pattern/index.ts'
import { Audit, ownRecord, readRecords, type StoredRecord } from './audit.ts'
import { Database, inodeOf, setAside } from './database.ts'
import { type Driver, type Libsql, transaction } from './driver.ts'
import { isDamage, told } from './faults.ts'
import { type Link, readHead, writeHead } from './head.ts'
import type { Journal } from './journal.ts'
import { writeMeta } from './meta.ts'
import { patiently } from './patience.ts'
import { isTimeToSweep, LIMITS, type Limits, sweep } from './retention.ts'
import { nameOf } from './sessions.ts'
import type { Circumstances, Loaded, SessionKey, Step, Store } from './store.ts'
import { type Verification, verify } from './verify.ts'

interface Options {
  /** how `libsql` is loaded where Node has no SQLite of its own */
  readonly libsql?: () => Libsql
  readonly journal?: Journal
  readonly limits?: Limits
}

/** Sessions and the audit trail in one SQLite database. Opened at the first use. */
export class SqliteStore implements Store {
  readonly notices: string[] = []
  private readonly file: string
  private readonly headFile: string
  private open: Database | undefined
  /** of the file that was opened last */
  private inode: number | undefined
  /** what happened to the database before this one */
  private lost: string | undefined

  constructor(
    folder: string,
    private readonly options: Options = {},
  ) {
    this.file = join(folder, 'signalbox.db')
    this.headFile = join(folder, 'audit-head')
  }

  rootOf(key: SessionKey): string | undefined {
    const row = this.use(({ driver }) => driver.prepare('SELECT root FROM sessions WHERE key = ?').get(nameOf(key)))
    return typeof row?.root === 'string' ? row.root : undefined
  }

  recall(key: SessionKey, identity: string): Json | undefined {
    return this.use(({ answers }) => answers.recall(nameOf(key), identity))
  }

  transact<T>(key: SessionKey, circumstances: Circumstances, work: (loaded: Loaded) => Step<T>): T {
    return this.use(database => {
      const { result, head } = transaction(database.driver, () => this.step(database, key, circumstances, work))
      if (head) this.keepHead(head)
      return result
    })
  }

  records(query: { readonly last: number }): readonly StoredRecord[] {
    return this.use(({ driver }) => readRecords(driver, query))
  }

  verify(): Verification {
    return this.use(({ driver }) => verify(driver, readHead(this.headFile)))
  }

  get journal(): Journal {
    const mode = this.use(({ driver }) => driver.prepare('PRAGMA journal_mode').get()?.journal_mode)
    return mode === 'wal' ? 'wal' : 'delete'
  }

  close(): void {
    this.open?.close()
    this.open = undefined
  }

  private step<T>(
    { driver, audit, sessions, answers }: Database,
    key: SessionKey,
    circumstances: Circumstances,
    work: (loaded: Loaded) => Step<T>,
  ): { readonly result: T; readonly head: Link | undefined } {
    const { now } = circumstances
    const name = nameOf(key)
    const found = sessions.load(name, key, circumstances)
    const damages = found.damaged.map(what => `stored state was damaged and has been reset: ${what}`)
    this.notices.push(...damages)
    const recall = (identity: string) => answers.recall(name, identity)
    const step = work({ session: found.session, restarted: found.restarted, recall })
    if (step.session) sessions.save(name, key, step.session, found, circumstances)
    for (const answer of step.answers ?? []) answers.remember(name, answer, now)
    const records = [...damages.map(note => ownRecord('session.reset', now, note)), ...step.records]
    if (records.length === 0) return { result: step.result, head: undefined }
    const before = audit.head()
    const after = audit.append(records, before)
    const head = isTimeToSweep(before, after) ? sweep(driver, audit, now, this.options.limits ?? LIMITS) : after
    return { result: step.result, head }
  }

  /** A database that is damaged is set aside, and the work done on a new one. Other faults are told in one line. */
  private use<T>(work: (database: Database) => T): T {
    try {
      return patiently(() => work(this.database()))
    } catch (error) {
      if (!isDamage(error)) throw told(error, this.file)
    }
    try {
      this.startOver()
      return patiently(() => work(this.database()))
    } catch (error) {
      throw told(error, this.file)
    }
  }

  private database(): Database {
    if (this.open?.isCurrent()) return this.open
    this.discard()
    this.inode = inodeOf(this.file)
    let head: Link | undefined
    this.open = Database.open({ file: this.file, ...this.options }, driver => {
      head = this.begin(driver)
    })
    if (head) this.keepHead(head)
    return this.open
  }

  /** A new database that follows another one says so, in its first record and to the person, and continues its chain. */
  private begin(driver: Driver): Link | undefined {
    const before = readHead(this.headFile)
    if (!before && this.lost === undefined) return undefined
    const now = Date.now()
    const note = `${this.lost ?? 'the stored state was missing'}; all sessions begin anew`
    this.notices.push(note)
    writeMeta(driver, 'reset', { at: now })
    if (before) writeMeta(driver, 'anchor', { ...before })
    return new Audit(driver).append([ownRecord('store.reset', now, note, before)])
  }

  private startOver(): void {
    this.discard()
    // another process may have been faster: what is there now is its new one
    if (this.inode !== inodeOf(this.file)) return
    const stamp = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${process.pid}`
    this.lost = `the stored state was damaged and is kept as ${setAside(this.file, stamp)}`
  }

  private discard(): void {
    try {
      this.open?.close()
    } catch {
      // what is being left behind may be broken
    }
    this.open = undefined
  }

  /** The step is done and will be answered: a head that is not written is behind, and the next one catches up. */
  private keepHead(head: Link): void {
    try {
      writeHead(this.headFile, head)
    } catch {
      // `verify` sees it
    }
  }
}
