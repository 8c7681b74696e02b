import type { Reader, Told } from '../clients/transcripts.ts'
import { isObject, messageOf } from '../pattern/index.ts'
import type { Found } from './find.ts'
import { type Line, Lines } from './lines.ts'

/** What could not be read, and where. */
export interface Flaw {
  readonly file: string
  readonly line: number
  readonly why: string
}

/** One transcript, played from its beginning. Its time never runs backwards. */
export class Tape {
  private readonly lines: Lines
  private readonly reader: Reader
  private texts: readonly Line[] = []
  private nth = 0
  private line = 0
  private told: readonly Told[] = []
  private taken = 0
  private isOver = false
  private latest = Number.NEGATIVE_INFINITY

  constructor(
    readonly found: Found,
    private readonly complain: (flaw: Flaw) => void,
  ) {
    this.lines = new Lines(found.file, found.file.endsWith('.json'))
    this.reader = found.by.reader(found.transcript)
  }

  /** When the next thing happened; undefined at the end. */
  get at(): number | undefined {
    const next = this.peek()
    return next && Math.max(next.at, this.latest)
  }

  take(): Told | undefined {
    const next = this.peek()
    if (!next) return undefined
    this.taken += 1
    this.latest = Math.max(next.at, this.latest)
    return next
  }

  private peek(): Told | undefined {
    while (this.taken >= this.told.length) {
      if (this.isOver) return undefined
      this.taken = 0
      this.told = this.more()
    }
    return this.told[this.taken]
  }

  private more(): readonly Told[] {
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
    const value = text ? parse(text) : undefined
    if (isObject(value)) return this.reader.read(value)
    const why = text === null ? 'it is longer than 64 MB' : 'it is not a JSON object'
    this.complain({ file: this.found.file, line: this.line, why })
    return []
  }

  private piece(): readonly Line[] | undefined {
    try {
      return this.lines.next()
    } catch (error) {
      this.complain({ file: this.found.file, line: this.line + 1, why: messageOf(error) })
      return undefined
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
