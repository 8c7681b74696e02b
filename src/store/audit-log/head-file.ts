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

/** truncating a file can take a file system's journal as long as twenty events */
const COMPACT_EVERY = 512
const CHECK_INODE_EVERY = 32

/**
 * The head of the hash chain, kept outside the database to confirm its records. Each commit appends two whole lines, so concurrent or
 * late writers cannot undo them. The first line, inside the transaction, ensures that the file knows every record. The second, after
 * the commit, shows whether a missing record was cut off or never committed. Opening is most of the cost, so the file stays open.
 */
export class ChainHeadFile {
  private open: { readonly fd: number; readonly inode: number | undefined } | undefined

  constructor(private readonly file: string) {}

  read(): ChainHead | undefined {
    return readChainHead([this.copy, this.file])
  }

  /** Creates the file together with the database, so that a missing file is noticed. */
  make(): void {
    this.open ??= this.opened(undefined)
  }

  /**
   * Called before the commit, while no other process can write: the new head and the previous one. `follows`: there were records
   * before. A missing file was then removed by someone, which is noted permanently.
   */
  announce(head: ChainLink, before: ChainLink, follows: boolean): void {
    const { seq } = head
    if (Math.floor(seq / CHECK_INODE_EVERY) !== Math.floor(before.seq / CHECK_INODE_EVERY)) this.look()
    this.open ??= this.opened(follows ? seq : undefined)
    if (Math.floor(seq / COMPACT_EVERY) !== Math.floor(before.seq / COMPACT_EVERY)) this.tidy(this.open.fd)
    writeSync(this.open.fd, formatAnnouncementLine(head, before))
  }

  /** Called after the commit. */
  write(head: ChainLink): void {
    this.open ??= this.opened(undefined)
    writeSync(this.open.fd, formatCommitLine(head))
  }

  private opened(seq: number | undefined): NonNullable<ChainHeadFile['open']> {
    const stat = statSync(this.file, { throwIfNoEntry: false })
    // opening a pipe would block the hook
    if (stat && !stat.isFile()) throw new Error('the head of the audit trail is no file')
    const fd = openSync(this.file, 'a', 0o600)
    if (!stat && seq !== undefined) writeSync(fd, `lost ${seq}\n`)
    return { fd, inode: inodeOf(this.file) }
  }

  close(): void {
    if (this.open) closeSync(this.open.fd)
    this.open = undefined
  }

  /** Reopens a file that was replaced: otherwise this process would write to a file that nobody reads. */
  private look(): void {
    if (this.open && this.open.inode !== inodeOf(this.file)) this.close()
  }

  /** Truncates in place, because other processes have the file open. The copy survives a crash. No other process announces meanwhile. */
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
