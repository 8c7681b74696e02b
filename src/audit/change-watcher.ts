import { type FSWatcher, watch } from 'node:fs'

/** One commit causes several writes. */
const SETTLE_MS = 20
/** Polling interval: slow while `fs.watch` works, fast where it does not (network file systems, some platforms). */
const POLL_MS = { watched: 2000, unwatched: 200 }

/** Waits until something may have been written to the folder. */
export class ChangeWatcher {
  #watcher: FSWatcher | undefined
  #ring: () => void = () => {}
  /** a change was reported since the last `next` */
  #rung = false

  constructor(private readonly folder: string) {}

  /** May also resolve without a change, so callers check themselves. Resolves at once if aborted. */
  async next(signal: AbortSignal): Promise<void> {
    this.#watch()
    if (!this.#rung) await this.#wait(signal)
    this.#rung = false
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise<void>(done => {
      if (signal.aborted) return done()
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#ring = () => {}
        done()
      }
      const timer = setTimeout(end, this.#watcher ? POLL_MS.watched : POLL_MS.unwatched)
      signal.addEventListener('abort', end)
      this.#ring = () => {
        this.#ring = () => {}
        setTimeout(end, SETTLE_MS)
      }
    })
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = undefined
  }

  /** Tries again on each call, because the folder may not exist yet or may have been removed. */
  #watch(): void {
    if (this.#watcher) return
    try {
      const watcher = watch(this.folder, () => {
        this.#rung = true
        this.#ring()
      })
      watcher.on('error', () => this.close())
      this.#watcher = watcher
      // Writes from before the watch are not reported: assume there was one.
      this.#rung = true
    } catch {
      // Without a watcher, `next` polls.
    }
  }
}
