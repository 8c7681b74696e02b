import type { JsonObject } from '../../lib/json.ts'

/** One event, as the payload that the client would have sent to its hook. */
export interface TranscriptEvent {
  readonly at: number
  readonly payload: JsonObject
  /** what the transcript does not contain from here on */
  readonly lost?: string
  /** a hook denied the call or the stop */
  readonly refused?: true
}

/** A file of the client's own session log. */
export interface TranscriptFile {
  /** path below the client's folder, with slashes */
  readonly path: string
  /** text of the file at this relative path, if it exists */
  readBeside(relative: string): string | undefined
  /** whether that file exists */
  existsBeside(relative: string): boolean
}

/** What the first part of a file shows. */
export interface TranscriptHead {
  readonly at?: number
  readonly cwd?: string
  readonly session?: string
}

export interface TranscriptLineReader {
  /** Events that are certain after this line, in order. */
  read(line: JsonObject): readonly TranscriptEvent[]
  /** Called after the last line. */
  end(): readonly TranscriptEvent[]
}

/** How an agent logs its sessions. Used by `replay`, never by the hook. */
export interface TranscriptFormat {
  readonly id: string
  /** starts with `~/` */
  readonly folder: string
  isTranscript(path: string): boolean
  readHead(head: string, file: TranscriptFile): TranscriptHead
  reader(file: TranscriptFile): TranscriptLineReader
}

interface PendingEvent {
  event: TranscriptEvent | undefined
  isCertain: boolean
  isVoid: boolean
}

const MAX_PENDING = 1000

/**
 * Emits events in order. A call is held back until its end is read: only the end shows whether the client itself rejected the call,
 * in which case no hook was called.
 */
export class TranscriptEventBuffer {
  private pending: PendingEvent[] = []
  private stopped: PendingEvent | undefined
  private readonly calls = new Map<string, { readonly pending: PendingEvent; readonly call: JsonObject }>()

  add(at: number, payload: JsonObject, lost?: string): void {
    const event = { at, payload, ...(lost !== undefined && { lost }) }
    this.pending.push({ event: event, isCertain: true, isVoid: false })
  }

  begin(id: string, at: number, payload: JsonObject): void {
    if (this.calls.has(id)) return
    const pending: PendingEvent = { event: { at, payload }, isCertain: false, isVoid: false }
    this.calls.set(id, { pending: pending, call: payload })
    this.pending.push(pending)
    // calls without an end must not hold back everything else
    if (this.pending.length > MAX_PENDING) this.settle()
  }

  /** A stop is held back until the next line is read: only that shows whether a hook denied it. */
  stop(at: number, payload: JsonObject): void {
    this.settleStop(false)
    this.stopped = { event: { at, payload }, isCertain: false, isVoid: false }
    this.pending.push(this.stopped)
  }

  settleStop(isRefused: boolean): void {
    const { stopped } = this
    this.stopped = undefined
    if (!stopped?.event) return
    stopped.isCertain = true
    if (isRefused) stopped.event = { ...stopped.event, refused: true }
  }

  /** Returns the payload that began the call, once. `never`: no hook was called for it; `refused`: a hook denied it. */
  end(id: string, how: 'ended' | 'never' | 'refused'): JsonObject | undefined {
    const found = this.calls.get(id)
    if (!found) return undefined
    this.calls.delete(id)
    found.pending.isCertain = true
    found.pending.isVoid = how === 'never'
    if (how === 'refused' && found.pending.event) found.pending.event = { ...found.pending.event, refused: true }
    return found.call
  }

  /** Treats all calls that have not ended as certain. */
  settle(): void {
    this.settleStop(false)
    for (const { pending } of this.calls.values()) pending.isCertain = true
    this.calls.clear()
  }

  take(): readonly TranscriptEvent[] {
    const open = this.pending.findIndex(event => !event.isCertain)
    const done = this.pending.splice(0, open < 0 ? this.pending.length : open)
    return done.flatMap(({ event, isVoid }) => (event && !isVoid ? [event] : []))
  }
}

/** The value of the first `"key":"…"` in JSON that may be truncated anywhere. */
export function findFirstString(json: string, key: string): string | undefined {
  const found = new RegExp(`"${key}": ?("(?:[^"\\\\]|\\\\.)*")`).exec(json)?.[1]
  try {
    const value: unknown = found === undefined ? undefined : JSON.parse(found)
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}

export const parseTime = (text: string | undefined): number | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

export function readTranscriptHead(json: string, keys: { time: string; cwd: string; session: string }): TranscriptHead {
  const at = parseTime(findFirstString(json, keys.time))
  const cwd = findFirstString(json, keys.cwd)
  const session = findFirstString(json, keys.session)
  return { ...(at !== undefined && { at }), ...(cwd && { cwd }), ...(session && { session }) }
}
