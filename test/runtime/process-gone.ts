import { existsSync, readFileSync } from 'node:fs'

/** A killed process that nobody has waited for yet is gone too: a zombie runs nothing. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return true
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}
