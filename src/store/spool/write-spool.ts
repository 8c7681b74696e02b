import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An answer that was given without the store. */
export interface SpoolEntry {
  readonly at: number
  readonly client: string
  /** the client's own event name */
  readonly event: string
  readonly tool?: string | undefined
  /** the project root, if known */
  readonly root?: string
  readonly decision: 'pass' | 'deny'
  readonly why: string
}

/** With this many files waiting, nothing more is written: no process seems to collect them. */
const MAX_WAITING = 1000

/** Leaves an answer for the next process that has the store. Errors here do not change the answer. */
export function writeToSpool(state: string, { event, tool, ...answer }: SpoolEntry): void {
  const folder = join(state, 'spool')
  const name = `${answer.at}-${process.pid}-${Math.random().toString(36).slice(2)}`
  try {
    if (countWaiting(folder) >= MAX_WAITING) return
    const entry = { ...answer, event: event.slice(0, 200), tool: tool?.slice(0, 200) }
    writeFileSync(join(folder, `${name}.tmp`), JSON.stringify(entry), { flag: 'wx', mode: 0o600 })
    renameSync(join(folder, `${name}.tmp`), join(folder, `${name}.json`))
  } catch {
    // the disk may be full, or the folder may belong to another user
  }
}

/** Creates the folder if it is missing. */
function countWaiting(folder: string): number {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return 0
  } catch {
    return readdirSync(folder, { withFileTypes: true }).filter(dirent => dirent.isFile()).length
  }
}
