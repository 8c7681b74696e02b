import { createRequire } from 'node:module'
import { processEntry } from './process-table.ts'

/** Identifies one process: process ids are reused, but not together with the start time. */
export interface ProcessIdentity {
  readonly pid: number
  readonly born: string
}

type Look = (pid: number) => { readonly parent: number; readonly born: string } | undefined

const DEEPEST = 512

/** Whether the process currently descends from that process. An orphan with another parent no longer does. */
export function isDescendantOf(pid: number, { pid: wanted, born }: ProcessIdentity, look: Look = lookHere()): boolean {
  let at = pid
  for (let depth = 0; at > 0 && depth < DEEPEST; depth++) {
    const found = look(at)
    if (!found) return false
    if (at === wanted) return found.born === born
    at = found.parent
  }
  return false
}

/** Start time of a process on this machine; undefined: unknown. */
export const processStartTime = (pid: number): string | undefined => lookHere()(pid)?.born || undefined

const lookHere = (): Look => (process.platform === 'linux' ? processEntry : everybody())

/** Systems other than Linux: reads the whole process table once. Untested. */
function everybody(): Look {
  const { execFileSync }: typeof import('node:child_process') = createRequire(import.meta.url)('node:child_process')
  const rows = new Map<number, { readonly parent: number; readonly born: string }>()
  let text = ''
  try {
    text = execFileSync('ps', ['-axo', 'pid=,ppid=,lstart='], { encoding: 'utf8', env: { LC_ALL: 'C' }, timeout: 1000 })
  } catch {
    // no process is visible, so none counts as a descendant
  }
  for (const [, pid, parent, born = ''] of text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/gm))
    rows.set(Number(pid), { parent: Number(parent), born })
  return pid => rows.get(pid)
}
