import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 256 * 1024
/** No real transcript has longer lines. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

/** Null: the line exceeds `MAX_LINE_BYTES` and was skipped. */
export type TranscriptLine = string | null

/** Read buffer shared by all readers. */
const chunk = Buffer.alloc(CHUNK_BYTES)

/** Reads the lines of a file in chunks. Closes the file between chunks, because thousands of readers can be open. */
export class LineReader {
  private at = 0
  private pieces: Buffer[] = []
  private length = 0
  private isLong = false
  private isOver = false

  constructor(
    private readonly file: string,
    /** the file is one JSON text, not lines */
    private readonly isWhole: boolean,
  ) {}

  /** The lines of the next chunk; undefined at the end. */
  next(): readonly TranscriptLine[] | undefined {
    while (!this.isOver) {
      const read = this.read()
      this.isOver = read.length === 0
      const end = this.isWhole ? 0 : read.lastIndexOf(NEWLINE) + 1
      if (end > 0) return this.linesIn(read, end)
      this.keep(read)
      if (this.isOver && (this.isLong || this.length > 0)) return [this.taken()]
    }
    return undefined
  }

  private linesIn(read: Buffer, end: number): readonly TranscriptLine[] {
    const first = read.indexOf(NEWLINE)
    this.keep(read.subarray(0, first))
    const head = this.taken()
    this.keep(read.subarray(end))
    if (first === end - 1) return [head]
    return [head, ...read.toString('utf8', first + 1, end - 1).split('\n')]
  }

  private keep(part: Buffer): void {
    if (this.isLong || part.length === 0) return
    this.length += part.length
    this.isLong = this.length > MAX_LINE_BYTES
    if (this.isLong) this.pieces = []
    else this.pieces.push(Buffer.from(part))
  }

  private taken(): TranscriptLine {
    const line = this.isLong ? null : Buffer.concat(this.pieces).toString('utf8')
    this.pieces = []
    this.length = 0
    this.isLong = false
    return line
  }

  private read(): Buffer {
    const open = openSync(this.file, 'r')
    try {
      const length = readSync(open, chunk, 0, CHUNK_BYTES, this.at)
      this.at += length
      return chunk.subarray(0, length)
    } finally {
      closeSync(open)
    }
  }
}
