import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An answer that was given without the store. */
export interface SpoolEntry {
  readonly at: number
  readonly client: string
  /** as the client calls it */
  readonly event: string
  readonly tool?: string | undefined
  /** the project, where it is known */
  readonly root?: string
  readonly decision: 'pass' | 'deny'
  readonly why: string
}

/** Who finds so many waiting leaves none: nobody fetches them. */
const MAX_WAITING = 1000

/** For whoever has the store next. Nothing that goes wrong here changes the answer. */
export function writeToSpool(state: string, { event, tool, ...answer }: SpoolEntry): void {
  const folder = join(state, 'spool')
  const name = `${answer.at}-${process.pid}-${Math.random().toString(36).slice(2)}`
  try {
    if (countWaiting(folder) >= MAX_WAITING) return
    const entry = { ...answer, event: event.slice(0, 200), tool: tool?.slice(0, 200) }
    writeFileSync(join(folder, `${name}.tmp`), JSON.stringify(entry), { flag: 'wx', mode: 0o600 })
    renameSync(join(folder, `${name}.tmp`), join(folder, `${name}.json`))
  } catch {
    // the disk may be full, or the folder not ours
  }
}

/** Makes it where it is missing. */
function countWaiting(folder: string): number {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return 0
  } catch {
    return readdirSync(folder, { withFileTypes: true }).filter(one => one.isFile()).length
  }
}
