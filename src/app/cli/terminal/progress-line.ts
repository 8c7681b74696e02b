import { truncateLine } from '../../../analysis/explain/index.ts'
import type { Terminal } from '../command.ts'

/** What is done at once needs no telling. */
const SHOW_AFTER_MS = 1000
const UPDATE_MS = 200
const CONTROL_LENGTH = 8

/** One line that is written over, once it has taken a second; `done` takes it away. Only where somebody looks on. */
export function createProgressLine({ err, window, width }: Terminal): { tell(text: () => string): void; done(): void } {
  const began = performance.now()
  let last = began + SHOW_AFTER_MS - UPDATE_MS
  let isShown = false
  return {
    tell(text) {
      const now = performance.now()
      if (window?.err !== true || now - last < UPDATE_MS) return
      last = now
      isShown = true
      // a line that is broken at the window's width cannot be written over
      err(`\r\u001b[K${truncateLine(text(), Math.max(width - CONTROL_LENGTH, 10))}`)
    },
    done() {
      if (isShown) err('\r\u001b[K')
    },
  }
}
