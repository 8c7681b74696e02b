import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { inodeOf } from './set-aside.ts'

/** The end of the chain: the number and the hash of a record. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

export const GENESIS: Link = { seq: 0, hash: '0'.repeat(64) }

/** emptying a file may take a journal of the file system as long as twenty events */
const TIDY_EVERY = 1024
const LOOK_EVERY = 32

/**
 * The chain's head, kept outside of the database: without it a cut-off tail would not show. One appended line a commit
 * (whole, whoever else writes, and a late writer cannot set it back); the highest number counts. Opened once: that is
 * most of what a line costs.
 */
export class HeadFile {
  private open: { readonly fd: number; readonly inode: number | undefined } | undefined

  constructor(private readonly file: string) {}

  read(): Head | undefined {
    return readHead([this.copy, this.file])
  }

  /** There from the first moment of a database, so that it is missed when it is gone. */
  make(): void {
    this.open ??= this.opened(undefined)
  }

  /** `follows`: there were records before. If the file is gone then, someone took it away, and that stays to be seen. */
  write(head: Link, follows: boolean): void {
    const { seq } = head
    if (seq % LOOK_EVERY === 0) this.look()
    this.open ??= this.opened(follows ? seq : undefined)
    writeSync(this.open.fd, lineOf(head))
    if (seq % TIDY_EVERY === 0) this.tidy(this.open.fd)
  }

  private opened(seq: number | undefined): NonNullable<HeadFile['open']> {
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

  /** Emptied in place, for those who have it open; the copy is for whoever ends in between. */
  private tidy(fd: number): void {
    const head = this.read()
    if (!head) return
    const text = lineOf(head) + evidence('twice', head.twice) + evidence('lost', head.lost)
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

const lineOf = ({ seq, hash }: Link): string => `${seq} ${hash}\n`
/** What shows a cut outlives the lines it was seen in. */
const evidence = (what: string, seq: number | undefined): string => (seq === undefined ? '' : `${what} ${seq}\n`)

/** The head, and a number that was given to two records: somebody cut the end off, and others were written in its place. */
export interface Head extends Link {
  /** what it still tells of the commits before */
  readonly seen: ReadonlyMap<number, string>
  readonly twice?: number
  /** when this file had been taken away */
  readonly lost?: number
}

function readHead(files: readonly string[]): Head | undefined {
  const seen = new Map<number, string>()
  const lines = files.flatMap(linesOf)
  let twice = toldIn(lines, 'twice')
  const lost = toldIn(lines, 'lost')
  let highest = 0
  for (const line of lines) {
    const [, number, hash = ''] = /^(\d+) ([0-9a-f]{64})$/.exec(line) ?? []
    if (number === undefined) continue
    const seq = Number(number)
    const before = seen.get(seq)
    if (before !== undefined && before !== hash) twice ??= seq
    seen.set(seq, hash)
    highest = Math.max(highest, seq)
  }
  const hash = seen.get(highest)
  return hash === undefined
    ? undefined
    : { seq: highest, hash, seen, ...(twice !== undefined && { twice }), ...(lost !== undefined && { lost }) }
}

function toldIn(lines: readonly string[], what: string): number | undefined {
  const line = lines.find(one => one.startsWith(`${what} `))
  return line === undefined ? undefined : Number(line.slice(what.length)) || undefined
}

function linesOf(file: string): readonly string[] {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8').split('\n') : []
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
