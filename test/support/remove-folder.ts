import { rmSync } from 'node:fs'

const PATIENCE_MS = 10_000
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * With a daemon that is just starting or leaving in it: it may put a file into a folder that was empty a moment ago,
 * and Node's own retries only try the same `rmdir` again.
 */
export function removeFolder(folder: string): void {
  for (const until = Date.now() + PATIENCE_MS; ; Atomics.wait(pause, 0, 0, 50)) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || Date.now() > until) throw error
    }
  }
}
