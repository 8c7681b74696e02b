import { cut } from '../explain/index.ts'
import type { Terminal } from './command.ts'

/** What is done at once needs no telling. */
const PATIENT_MS = 1000
const EACH_MS = 200
const CONTROL = 8

/** One line that is written over, once it has taken a second; `done` takes it away. Only where somebody looks on. */
export function progressOn({ err, window, width }: Terminal): { tell(text: () => string): void; done(): void } {
  const began = performance.now()
  let last = began + PATIENT_MS - EACH_MS
  let isShown = false
  return {
    tell(text) {
      const now = performance.now()
      if (window?.err !== true || now - last < EACH_MS) return
      last = now
      isShown = true
      // a line that is broken at the window's width cannot be written over
      err(`\r\u001b[K${cut(text(), Math.max(width - CONTROL, 10))}`)
    },
    done() {
      if (isShown) err('\r\u001b[K')
    },
  }
}
