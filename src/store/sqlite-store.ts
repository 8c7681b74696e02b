import { join } from 'node:path'
import type { Json, JsonObject } from '../pattern/index.ts'
import { type Given, seqOf, withAnswer } from './answers.ts'
import { Audit, ownRecord, readRecords, type StoredRecord } from './audit.ts'
import { type ChangeClaim, changeClaim, claimName } from './claims.ts'
import { Database } from './database.ts'
import { type Driver, type Libsql, transaction } from './driver.ts'
import { isBusy, isDamage, isUpset, told } from './faults.ts'
import { HeadFile, type Link } from './head.ts'
import type { Journal } from './journal.ts'
import { readMeta, writeMeta } from './meta.ts'
import { Patience } from './patience.ts'
import { isTimeToSweep, LIMITS, type Limits, sweep } from './retention.ts'
import { nameOf } from './sessions.ts'
import { inodeOf, isMoving, lastAside, setAside } from './set-aside.ts'
import type { Circumstances, Loaded, SessionKey, Step, Store } from './store.ts'
import { type Verification, verify } from './verify.ts'

interface Options {
  /** how `libsql` is loaded where Node has no SQLite of its own */
  readonly libsql?: () => Libsql
  readonly journal?: Journal
  readonly stays?: boolean
  readonly limits?: Limits
}

/** Sessions and the audit trail in one SQLite database. Opened at the first use. */
export class SqliteStore implements Store {
  readonly notices: string[] = []
  private readonly file: string
  private readonly head: HeadFile
  private readonly patience = new Patience()
  private open: Database | undefined
  /** of the file that was opened last */
  private inode: number | undefined

  constructor(
    folder: string,
    private readonly options: Options = {},
  ) {
    this.file = join(folder, 'signalbox.db')
    this.head = new HeadFile(join(folder, 'audit-head'))
  }

  rootOf(key: SessionKey): string | undefined {
    return this.use(({ sessions }) => sessions.glance(nameOf(key))?.root)
  }

  recall(key: SessionKey, identity: string): Json | undefined {
    return this.use(({ sessions, audit }) => recall(audit, sessions.glance(nameOf(key))?.given ?? '', identity))
  }

  transact<T>(key: SessionKey, circumstances: Circumstances, work: (loaded: Loaded) => Step<T>): T {
    return this.use(database => {
      const { result, head, follows } = transaction(database.driver, () =>
        this.step(database, key, circumstances, work),
      )
      if (head) this.keepHead(head, follows)
      return result
    })
  }

  claim(key: SessionKey, identity: string, change?: ChangeClaim): JsonObject | undefined {
    const name = claimName(key, identity)
    return this.use(({ driver }) =>
      change ? transaction(driver, () => changeClaim(driver, name, change)) : readMeta(driver, name),
    )
  }

  records(query: { readonly last: number }): readonly StoredRecord[] {
    return this.use(({ driver }) => readRecords(driver, query))
  }

  verify(): Verification {
    return this.use(({ driver }) => verify(driver, this.head.read()))
  }

  get journal(): Journal {
    const mode = this.use(({ driver }) => driver.prepare('PRAGMA journal_mode').get()?.journal_mode)
    return mode === 'wal' ? 'wal' : 'delete'
  }

  close(): void {
    this.open?.close()
    this.open = undefined
    this.head.close()
  }

  private step<T>(
    { driver, audit, sessions }: Database,
    key: SessionKey,
    circumstances: Circumstances,
    work: (loaded: Loaded) => Step<T>,
  ): { readonly result: T; readonly head: Link | undefined; readonly follows: boolean } {
    const { now } = circumstances
    const name = nameOf(key)
    const found = sessions.load(name, key, circumstances)
    const damages = found.damaged.map(what => `stored state was damaged and has been reset: ${what}`)
    this.notices.push(...damages)
    const { answer, result, ...step } = work({ ...found, recall: identity => recall(audit, found.given, identity) })
    const records = [...damages.map(note => ownRecord('session.reset', now, note)), ...step.records]
    const before = found.head ?? audit.head()
    const after = audit.append(records, before, answer?.reply)
    const given = answer ? withAnswer(found.given, answer.identity, after.seq) : found.given
    if (step.session || answer)
      sessions.save(name, key, { session: step.session ?? found.session, given }, found, circumstances)
    const follows = found.head !== undefined
    if (after === before) return { result, head: undefined, follows }
    const head = isTimeToSweep(before, after) ? sweep(driver, audit, now, this.options.limits ?? LIMITS) : after
    return { result, head, follows }
  }

  /** A database that is damaged is set aside, once, and the work done on a new one. Other faults are told in one line. */
  private use<T>(work: (database: Database) => T): T {
    let begun = false
    const passes = (error: unknown): boolean => {
      if (isUpset(error) && isMoving(this.file, this.inode)) {
        this.discard()
        return true
      }
      if (!isDamage(error)) return isBusy(error)
      if (begun) return false
      begun = this.startOver()
      return true
    }
    try {
      return this.patience.patiently(() => work(this.database()), passes)
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
    if (head) this.keepHead(head, false)
    return this.open
  }

  /** A new database that follows another one says so, in its first record and to the person, and continues its chain. */
  private begin(driver: Driver): Link | undefined {
    const before = this.head.read()
    this.makeHead()
    const aside = lastAside(this.file)
    if (!before && aside === undefined) return undefined
    const now = Date.now()
    const lost = aside === undefined ? 'was missing' : `was damaged and is kept as ${aside}`
    const note = `the stored state ${lost}; all sessions begin anew`
    this.notices.push(note)
    writeMeta(driver, 'reset', { at: now })
    if (before) writeMeta(driver, 'anchor', { ...before })
    return new Audit(driver).append([ownRecord('store.reset', now, note, before)])
  }

  /** False when another process is at it, or was faster. */
  private startOver(): boolean {
    this.discard()
    return setAside(this.file, this.inode)
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

  /** The step is done and will be answered: a head that is not written is behind, and the next one catches up. */
  private keepHead(head: Link, follows: boolean): void {
    try {
      this.head.write(head, follows)
    } catch {
      // `verify` sees it
    }
  }
}

function recall(audit: Audit, given: Given, identity: string): Json | undefined {
  const seq = seqOf(given, identity)
  return seq === undefined ? undefined : audit.replyBeside(seq)
}
