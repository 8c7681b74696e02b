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

/** The end of the chain: the number and the hash of a record. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

export const GENESIS: Link = { seq: 0, hash: '0'.repeat(64) }

const TIDY_EVERY = 256
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

  write(head: Link): void {
    const { seq } = head
    if (seq % LOOK_EVERY === 0) this.look()
    this.open ??= { fd: openSync(this.file, 'a', 0o600), inode: inodeOf(this.file) }
    writeSync(this.open.fd, lineOf(head))
    if (seq % TIDY_EVERY === 0) this.tidy(this.open.fd)
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
    // what shows a cut is kept
    if (!head || head.twice !== undefined) return
    const draft = `${this.copy}.${process.pid}`
    writeFileSync(draft, lineOf(head), { mode: 0o600 })
    renameSync(draft, this.copy)
    ftruncateSync(fd)
    writeSync(fd, lineOf(head))
  }

  private get copy(): string {
    return `${this.file}.copy`
  }
}

const lineOf = ({ seq, hash }: Link): string => `${seq} ${hash}\n`
const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

/** The head, and a number that was given to two records: somebody cut the end off, and others were written in its place. */
export interface Head extends Link {
  readonly twice?: number
}

function readHead(files: readonly string[]): Head | undefined {
  const seen = new Map<number, string>()
  let twice: number | undefined
  let highest = 0
  for (const line of files.flatMap(linesOf)) {
    const [, number, hash = ''] = /^(\d+) ([0-9a-f]{64})$/.exec(line) ?? []
    if (number === undefined) continue
    const seq = Number(number)
    const before = seen.get(seq)
    if (before !== undefined && before !== hash) twice ??= seq
    seen.set(seq, hash)
    highest = Math.max(highest, seq)
  }
  const hash = seen.get(highest)
  return hash === undefined ? undefined : { seq: highest, hash, ...(twice !== undefined && { twice }) }
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
