import { closeSync, ftruncateSync, openSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { inodeOf } from '../sqlite/quarantine.ts'
import {
  type ChainHead,
  type ChainLink,
  compactHeadLines,
  formatAnnouncementLine,
  formatCommitLine,
  readChainHead,
} from './chain-head.ts'

/** emptying a file may take a journal of the file system as long as twenty events */
const COMPACT_EVERY = 512
const CHECK_INODE_EVERY = 32

/**
 * The chain's head, kept outside of the database: what vouches for it. Two appended lines a commit (whole, whoever else writes, and a late writer
 * cannot set it back): one inside of the transaction, so that no record is ever there of which this file does not know, and one after it, by
 * which a record that was cut off is told from one that was never committed. Opened once: that is most of what a line costs.
 */
export class ChainHeadFile {
  private open: { readonly fd: number; readonly inode: number | undefined } | undefined

  constructor(private readonly file: string) {}

  read(): ChainHead | undefined {
    return readChainHead([this.copy, this.file])
  }

  /** There from the first moment of a database, so that it is missed when it is gone. */
  make(): void {
    this.open ??= this.opened(undefined)
  }

  /**
   * Before the commit, while nobody else can write: what the end will be, and what it was. `follows`: there were records before. If the file is
   * gone then, someone took it away, and that stays to be seen.
   */
  announce(head: ChainLink, before: ChainLink, follows: boolean): void {
    const { seq } = head
    if (Math.floor(seq / CHECK_INODE_EVERY) !== Math.floor(before.seq / CHECK_INODE_EVERY)) this.look()
    this.open ??= this.opened(follows ? seq : undefined)
    if (Math.floor(seq / COMPACT_EVERY) !== Math.floor(before.seq / COMPACT_EVERY)) this.tidy(this.open.fd)
    writeSync(this.open.fd, formatAnnouncementLine(head, before))
  }

  /** After the commit. */
  write(head: ChainLink): void {
    this.open ??= this.opened(undefined)
    writeSync(this.open.fd, formatCommitLine(head))
  }

  private opened(seq: number | undefined): NonNullable<ChainHeadFile['open']> {
    const stat = statSync(this.file, { throwIfNoEntry: false })
    // a pipe would hold the hook up
    if (stat && !stat.isFile()) throw new Error('the head of the audit trail is no file')
    const fd = openSync(this.file, 'a', 0o600)
    if (!stat && seq !== undefined) writeSync(fd, `lost ${seq}\n`)
    return { fd, inode: inodeOf(this.file) }
  }

  close(): void {
    if (this.open) closeSync(this.open.fd)
    this.open = undefined
  }

  /** Someone may have removed the file: then this one writes to what nobody reads. */
  private look(): void {
    if (this.open && this.open.inode !== inodeOf(this.file)) this.close()
  }

  /** Emptied in place, for those who have it open; the copy is for whoever ends in between. Nobody else announces meanwhile. */
  private tidy(fd: number): void {
    const head = this.read()
    if (!head) return
    const text = compactHeadLines(head)
    const draft = `${this.copy}.${process.pid}`
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, this.copy)
    ftruncateSync(fd)
    writeSync(fd, text)
  }

  private get copy(): string {
    return `${this.file}.copy`
  }
}
