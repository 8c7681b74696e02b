import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type OnError = 'open' | 'closed'

/** What to answer for a project when nothing can be judged: one word, written by the policy compiler. */
export function readPosture(state: string, root: string): OnError | undefined {
  try {
    const word = readFileSync(postureFile(state, root), 'utf8').trim()
    return word === 'closed' || word === 'open' ? word : undefined
  } catch {
    return undefined
  }
}

const postureFile = (state: string, root: string): string =>
  join(state, 'posture', createHash('sha256').update(root).digest('hex').slice(0, 16))
