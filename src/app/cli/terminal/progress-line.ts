import { truncateLine } from '../../../analysis/explain/index.ts'
import type { Terminal } from '../command.ts'

/** Short work shows no progress. */
const SHOW_AFTER_MS = 1000
const UPDATE_MS = 200
const CONTROL_LENGTH = 8

/** A progress line that overwrites itself, shown after one second and only in a window. `done` erases it. */
export function createProgressLine({ err, window, width }: Terminal): {
  update(text: () => string): void
  done(): void
} {
  const began = performance.now()
  let last = began + SHOW_AFTER_MS - UPDATE_MS
  let isShown = false
  return {
    update(text) {
      const now = performance.now()
      if (window?.err !== true || now - last < UPDATE_MS) return
      last = now
      isShown = true
      // a line wrapped by the window cannot be overwritten
      err(`\r\u001b[K${truncateLine(text(), Math.max(width - CONTROL_LENGTH, 10))}`)
    },
    done() {
      if (isShown) err('\r\u001b[K')
    },
  }
}
