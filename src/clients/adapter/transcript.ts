import type { JsonObject } from '../../lib/json.ts'

/** One thing that happened, as the payload that the client's hook would have been sent. */
export interface TranscriptEvent {
  readonly at: number
  readonly payload: JsonObject
  /** what is not written down of the session, from here on: who did what is not known */
  readonly lost?: string
  /** a hook refused the call */
  readonly refused?: true
}

/** A file of the client's own record of a session. */
export interface TranscriptFile {
  /** below the client's folder, with slashes */
  readonly path: string
  /** the text of a file in a place relative to it, where there is one */
  beside(relative: string): string | undefined
  /** whether there is one */
  isBeside(relative: string): boolean
}

/** What a look at the beginning of a file tells. */
export interface TranscriptHead {
  readonly at?: number
  readonly cwd?: string
  readonly session?: string
}

export interface TranscriptLineReader {
  /** What is certain after this line, in its order. */
  read(line: JsonObject): readonly TranscriptEvent[]
  /** There are no more lines. */
  end(): readonly TranscriptEvent[]
}

/** How an agent writes its sessions down. Read for a look back, never by the hook. */
export interface TranscriptFormat {
  readonly id: string
  /** `~/…` */
  readonly folder: string
  isTranscript(path: string): boolean
  glance(head: string, file: TranscriptFile): TranscriptHead
  reader(file: TranscriptFile): TranscriptLineReader
}

interface PendingEvent {
  told: TranscriptEvent | undefined
  isCertain: boolean
  isVoid: boolean
}

const MAX_PENDING = 1000

/**
 * Events in their order. A call is held until its end is read: one that the client itself found wrong never came before a hook, and a
 * transcript tells so only then.
 */
export class TranscriptEventBuffer {
  private held: PendingEvent[] = []
  private readonly calls = new Map<string, { readonly held: PendingEvent; readonly call: JsonObject }>()

  tell(at: number, payload: JsonObject, lost?: string): void {
    const told = { at, payload, ...(lost !== undefined && { lost }) }
    this.held.push({ told, isCertain: true, isVoid: false })
  }

  begin(id: string, at: number, payload: JsonObject): void {
    if (this.calls.has(id)) return
    const held: PendingEvent = { told: { at, payload }, isCertain: false, isVoid: false }
    this.calls.set(id, { held, call: payload })
    this.held.push(held)
    // ends that never come must not keep everything
    if (this.held.length > MAX_PENDING) this.settle()
  }

  /** The payload that began the call, once. `never`: it did not come before a hook; `refused`: a hook denied it. */
  end(id: string, how: 'ended' | 'never' | 'refused'): JsonObject | undefined {
    const found = this.calls.get(id)
    if (!found) return undefined
    this.calls.delete(id)
    found.held.isCertain = true
    found.held.isVoid = how === 'never'
    if (how === 'refused' && found.held.told) found.held.told = { ...found.held.told, refused: true }
    return found.call
  }

  /** What has not ended by now never will. */
  settle(): void {
    for (const { held } of this.calls.values()) held.isCertain = true
    this.calls.clear()
  }

  take(): readonly TranscriptEvent[] {
    const open = this.held.findIndex(one => !one.isCertain)
    const done = this.held.splice(0, open < 0 ? this.held.length : open)
    return done.flatMap(({ told, isVoid }) => (told && !isVoid ? [told] : []))
  }
}

/** The value of the first `"key":"…"` in a piece of JSON that may be cut anywhere. */
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
