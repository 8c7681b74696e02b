import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import {
  type Approval,
  bornOf,
  closeGrant,
  handGrant,
  LONGEST_MS,
  mintToken,
  openGrant,
  openKey,
  randomHex,
  sweepGrants,
  worldOf,
} from '../runtime/index.ts'

import { sandboxProblem } from './sandbox.ts'

interface Asked {
  readonly state: string
  readonly root: string
  readonly task: string
  /** gates it lifts, by the policy's word */
  readonly gates: readonly string[]
  /** all that it may change; absent: whatever the policy permits */
  readonly may?: readonly string[] | undefined
  readonly forMs: number
  /** false: it is a question */
  readonly approves: boolean
}

/** What one task of this process may do, until it ends. */
export interface Leave {
  readonly id: string
  /** for the environment of who does the task, and for nothing else */
  readonly token: string
  /** Until then it is worth nothing: whoever does the task, and is below that process. */
  handTo(pid: number): void
  /** From here on the token is worth nothing. */
  end(): void
}

/** Time after the task's own for a last call that is on its way. */
const LATE_MS = 60_000

const NOT_WRITTEN = (state: string): string => `the approval cannot be written in ${state}`

/** The one place where approvals are minted. They hold for processes below this one, and die with it. */
export function takeLeave(asked: Asked): Leave {
  try {
    return minted(asked)
  } catch (error) {
    throw sandboxProblem(asked.state) ?? error
  }
}

function minted({ state, root, task, gates, may, forMs, approves }: Asked): Leave {
  const from = Date.now()
  const born = bornOf(process.pid)
  if (born === undefined) throw new Error('the processes of this machine cannot be read: nobody can be approved')
  const key = openKey(state)
  sweepGrants(state, from)
  const approval: Approval = {
    id: randomHex(8),
    root: realpathSync(root),
    task: createHash('sha256').update(task).digest('hex').slice(0, 32),
    approves,
    gates,
    may,
    from,
    until: from + Math.min(forMs + LATE_MS, LONGEST_MS),
    pid: process.pid,
    born,
    world: worldOf(),
  }
  if (!openGrant(state, approval)) throw new Error(NOT_WRITTEN(state))
  return {
    id: approval.id,
    token: mintToken(approval, key),
    handTo(pid) {
      const to = { pid, born: bornOf(pid) ?? '' }
      if (to.born !== '' && !handGrant(state, approval, to, key)) throw new Error(NOT_WRITTEN(state))
    },
    end: () => closeGrant(state, approval.id),
  }
}
