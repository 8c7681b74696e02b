import { closeSync, openSync, readSync } from 'node:fs'

const PIECE = 256 * 1024
/** Longer ones are no lines of a transcript. */
const LONGEST_LINE = 64 * 1024 * 1024
const NEWLINE = 10

/** The lines of a file, a piece of it at a time. It is closed in between: there may be thousands of files. */
export class Lines {
  private at = 0
  private rest: Buffer = Buffer.alloc(0)
  private isOver = false

  constructor(
    private readonly file: string,
    /** it is one text, not lines */
    private readonly isWhole: boolean,
  ) {}

  /** Of the next piece; undefined at the end. */
  next(): readonly string[] | undefined {
    while (!this.isOver) {
      const piece = this.read()
      this.isOver = piece.length === 0
      const text = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece])
      const end = this.isOver ? text.length : this.isWhole ? 0 : text.lastIndexOf(NEWLINE) + 1
      this.rest = Buffer.from(text.subarray(end))
      if (this.rest.length > LONGEST_LINE) throw new Error('it has a line of more than 64 MB')
      const done = text.subarray(0, end).toString('utf8')
      if (end > 0) return this.isWhole ? [done] : done.replace(/\n$/, '').split('\n')
    }
    return undefined
  }

  private read(): Buffer {
    const piece = Buffer.allocUnsafe(PIECE)
    const open = openSync(this.file, 'r')
    try {
      const length = readSync(open, piece, 0, PIECE, this.at)
      this.at += length
      return piece.subarray(0, length)
    } finally {
      closeSync(open)
    }
  }
}
