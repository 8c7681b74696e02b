import { type FSWatcher, watch } from 'node:fs'

/** Several writes make one commit. */
const SETTLE_MS = 20
/** The kernel tells of changes; where it does not (a network, another system), we look. */
const POLL_MS = { told: 2000, untold: 200 }

/** Waits until something may have been written to the folder. */
export class ChangeWatcher {
  #watcher: FSWatcher | undefined
  #ring: () => void = () => {}
  /** since we last looked */
  #rung = false

  constructor(private readonly folder: string) {}

  /** Also when nothing was: whoever wakes looks. At once when it was ended. */
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
      const timer = setTimeout(end, this.#watcher ? POLL_MS.told : POLL_MS.untold)
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

  /** The folder may not be there yet, or no more. */
  #watch(): void {
    if (this.#watcher) return
    try {
      const watcher = watch(this.folder, () => {
        this.#rung = true
        this.#ring()
      })
      watcher.on('error', () => this.close())
      this.#watcher = watcher
      // what was written before it watched, nobody tells
      this.#rung = true
    } catch {
      // looked at without
    }
  }
}
