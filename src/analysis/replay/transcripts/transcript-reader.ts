import type { TranscriptEvent, TranscriptLineReader } from '../../../clients/transcripts.ts'
import { messageOf, tryOr } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import type { TranscriptSource } from './find-transcripts.ts'
import { LineReader, type TranscriptLine } from './line-reader.ts'

/** A line that could not be read. */
export interface TranscriptError {
  readonly file: string
  readonly line: number
  readonly why: string
}

/** Reads one transcript from its beginning. Its timestamps never go backwards. */
export class TranscriptReader {
  private readonly lines: LineReader
  private readonly reader: TranscriptLineReader
  private texts: readonly TranscriptLine[] = []
  private nth = 0
  private line = 0
  private events: readonly TranscriptEvent[] = []
  private taken = 0
  private isOver = false
  private latest = Number.NEGATIVE_INFINITY

  constructor(
    readonly found: TranscriptSource,
    private readonly complain: (flaw: TranscriptError) => void,
  ) {
    this.lines = new LineReader(found.file, found.file.endsWith('.json'))
    this.reader = found.by.reader(found.transcript)
  }

  /** Time of the next event; undefined at the end. */
  get at(): number | undefined {
    const next = this.peek()
    return next && Math.max(next.at, this.latest)
  }

  take(): TranscriptEvent | undefined {
    const next = this.peek()
    if (!next) return undefined
    this.taken += 1
    this.latest = Math.max(next.at, this.latest)
    return next
  }

  private peek(): TranscriptEvent | undefined {
    while (this.taken >= this.events.length) {
      if (this.isOver) return undefined
      this.taken = 0
      this.events = this.more()
    }
    return this.events[this.taken]
  }

  private more(): readonly TranscriptEvent[] {
    if (this.nth >= this.texts.length) {
      this.nth = 0
      this.texts = this.piece() ?? []
      if (this.texts.length === 0) {
        this.isOver = true
        return this.reader.end()
      }
    }
    const text = this.texts[this.nth++]
    this.line += 1
    if (text?.trim() === '') return []
    const value = text ? parseJson(text) : undefined
    if (isObject(value)) return this.reader.read(value)
    const why = text === null ? 'it is longer than 64 MB' : 'it is not a JSON object'
    this.complain({ file: this.found.file, line: this.line, why })
    return []
  }

  private piece(): readonly TranscriptLine[] | undefined {
    try {
      return this.lines.next()
    } catch (error) {
      this.complain({ file: this.found.file, line: this.line + 1, why: messageOf(error) })
      return undefined
    }
  }
}

const parseJson = (text: string): unknown => tryOr(undefined, () => JSON.parse(text))
