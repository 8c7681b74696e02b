import type { ServerResponse } from 'node:http'
import { messageOf } from '../pattern/index.ts'
import type { TrailReader } from '../store/index.ts'
import { follow } from '../trail/index.ts'
import type { StreamEvents } from './api.ts'
import type { Archive } from './archive.ts'
import { endsAfter } from './call-ends.ts'
import { type Asked, readFrom, wantedBy } from './decisions.ts'
import { Refusal } from './refusal.ts'
import { rowOf } from './row.ts'
import type { Wanted } from './scan.ts'

const MOST_STREAMS = 32
const BEAT_MS = 15_000
/** ten times a second is as live as anybody can see, and leaves the machine to those who work */
const EACH_MS = 100
const AT_ONCE = 200
/** who is so far behind is brought to the end, and told what was left out */
const FAR = 2000
/** bytes that a page has not taken yet */
const MOST_WAITING = 256 << 10
/** for a page that takes nothing at all */
const PATIENCE_MS = 60_000
const RETRY_MS = 2000

interface Page {
  readonly response: ServerResponse
  readonly wanted: Wanted
  /** the last record it knows of */
  last: number
  saidAt: number
  /** since when it takes nothing */
  fullAt: number | undefined
}

/** Decisions as they are made, for every page that is open. One reader for all; a page that does not keep up misses some, and is told. */
export class Streams {
  readonly #pages = new Set<Page>()
  #following: AbortController | undefined
  #beats: NodeJS.Timeout | undefined
  /** why the trail cannot be followed just now */
  #trouble: string | undefined

  constructor(
    private readonly archive: Archive,
    private readonly changed: (pages: number) => void,
  ) {}

  get size(): number {
    return this.#pages.size
  }

  /** Throws where there is no room for one more. */
  check(): void {
    if (this.#pages.size >= MOST_STREAMS)
      throw new Refusal(503, `${MOST_STREAMS} pages are open already`, 'close some of them')
  }

  /** `after`: the last that it has seen; without it begins at the end. */
  add(response: ServerResponse, { filter, project }: Asked, after: number | undefined): void {
    const end = this.#end()
    const page: Page = {
      response,
      wanted: wantedBy(this.archive, filter, project),
      last: end === undefined ? (after ?? 0) : Math.min(after ?? end, end),
      saidAt: 0,
      fullAt: undefined,
    }
    this.#pages.add(page)
    response.on('close', () => this.#remove(page))
    response.on('error', () => this.#remove(page))
    response.write(`retry: ${RETRY_MS}\n\n`)
    const trouble = this.#trouble ?? (end === undefined ? 'the trail cannot be read' : undefined)
    if (trouble === undefined) say(page, 'beat', { last: page.last, now: Date.now() })
    else say(page, 'trouble', { error: trouble })
    // who follows says when it is over
    this.#trouble = trouble
    this.changed(this.#pages.size)
    this.#begin()
    void this.#tell()
  }

  /** A trail that cannot be read yet may be, later. */
  #end(): number | undefined {
    try {
      return this.archive.read(trail => trail.last()) ?? 0
    } catch {
      return undefined
    }
  }

  end(): void {
    for (const page of this.#pages) page.response.end()
    this.#stop()
  }

  #remove(page: Page): void {
    if (!this.#pages.delete(page)) return
    this.changed(this.#pages.size)
    if (this.#pages.size === 0) this.#stop()
  }

  #begin(): void {
    if (this.#following) return
    const following = new AbortController()
    this.#following = following
    this.#beats = setInterval(() => this.#beat(), BEAT_MS / 3).unref()
    void this.#follow(following.signal)
  }

  #stop(): void {
    this.#following?.abort()
    this.#following = undefined
    clearInterval(this.#beats)
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow(this.archive.state, signal, async trail => {
          for (const page of this.#pages) bring(page, trail)
          this.#isWell()
          await pause(EACH_MS)
        })
      } catch (error) {
        this.#trouble = `the trail cannot be read: ${messageOf(error)}`
        for (const page of this.#pages) say(page, 'trouble', { error: this.#trouble })
        await pause(RETRY_MS)
      }
    }
  }

  #isWell(): void {
    if (this.#trouble === undefined) return
    this.#trouble = undefined
    for (const page of this.#pages) say(page, 'beat', { last: page.last, now: Date.now() })
  }

  /** Somebody comes in the middle: what happened since is told at once. */
  async #tell(): Promise<void> {
    try {
      this.archive.read(trail => {
        for (const page of this.#pages) bring(page, trail)
      })
    } catch {
      // who follows tells
    }
  }

  #beat(): void {
    const now = Date.now()
    for (const page of this.#pages) {
      if (page.fullAt !== undefined && isFull(page) && now > page.fullAt + PATIENCE_MS) page.response.destroy()
      else if (now < page.saidAt + BEAT_MS || isFull(page)) continue
      else if (this.#trouble === undefined) say(page, 'beat', { last: page.last, now })
      else say(page, 'trouble', { error: this.#trouble })
    }
  }
}

const isFull = ({ response }: Page): boolean => response.writableLength > MOST_WAITING

/** What is new to a page, as far as it takes it. */
function bring(page: Page, trail: TrailReader): void {
  const end = trail.last()
  // another trail in the place of the one it knew
  if (end < page.last) page.last = 0
  if (isFull(page)) {
    page.fullAt ??= Date.now()
    return
  }
  page.fullAt = undefined
  if (end - page.last > FAR) {
    const to = end - AT_ONCE
    say(page, 'skipped', { n: to - page.last, from: page.last + 1, to }, to)
    page.last = to
  }
  while (page.last < end && !isFull(page)) {
    const { found, last, looked } = readFrom(trail, page.last, page.wanted, AT_ONCE)
    if (looked === 0) return
    const ends = endsAfter(trail, page.last, last)
    page.last = last
    if (found.length > 0) say(page, 'decisions', { rows: found.map(rowOf), last }, last)
    if (ends.length > 0) say(page, 'ends', { ends })
  }
}

/** One event. Its id is what the page knows by then. */
function say<E extends keyof StreamEvents>(page: Page, event: E, data: StreamEvents[E], id = page.last): void {
  page.saidAt = Date.now()
  // JSON has no line breaks in it
  page.response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms).unref())
