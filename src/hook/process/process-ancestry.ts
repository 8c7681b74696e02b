import { createRequire } from 'node:module'
import { processEntry } from './process-table.ts'

/** One process and no other: its number is given again, when it began is not. */
export interface ProcessIdentity {
  readonly pid: number
  readonly born: string
}

type Look = (pid: number) => { readonly parent: number; readonly born: string } | undefined

const DEEPEST = 512

/** Is that process above this one, now? Who was left alone, and taken by another parent, is nobody's descendant any more. */
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

/** When a process of this machine began; undefined where that cannot be told. */
export const processStartTime = (pid: number): string | undefined => lookHere()(pid)?.born || undefined

const lookHere = (): Look => (process.platform === 'linux' ? processEntry : everybody())

/** Not on Linux: one look at all of them. Untested on other systems. */
function everybody(): Look {
  const { execFileSync }: typeof import('node:child_process') = createRequire(import.meta.url)('node:child_process')
  const rows = new Map<number, { readonly parent: number; readonly born: string }>()
  let text = ''
  try {
    text = execFileSync('ps', ['-axo', 'pid=,ppid=,lstart='], { encoding: 'utf8', env: { LC_ALL: 'C' }, timeout: 1000 })
  } catch {
    // nobody can be seen, and nobody is a descendant
  }
  for (const [, pid, parent, born = ''] of text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/gm))
    rows.set(Number(pid), { parent: Number(parent), born })
  return pid => rows.get(pid)
}
