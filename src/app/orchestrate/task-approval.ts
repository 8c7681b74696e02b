import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import {
  type Approval,
  assignGrant,
  closeGrant,
  MAX_BYPASS_MS,
  openAttestationKey,
  openGrant,
  processNamespace,
  processStartTime,
  randomHex,
  signApproval,
  sweepGrants,
} from '../../hook/index.ts'

import { findSandboxProblem } from './sandbox-check.ts'

interface ApprovalRequest {
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
export interface TaskApproval {
  readonly id: string
  /** for the environment of who does the task, and for nothing else */
  readonly token: string
  /** Until then it is worth nothing: whoever does the task, and is below that process. */
  handTo(pid: number): void
  /** From here on the token is worth nothing. */
  end(): void
}

/** Time after the task's own for a last call that is on its way. */
const GRACE_MS = 60_000

const notWrittenText = (state: string): string => `the approval cannot be written in ${state}`

/** The one place where approvals are minted. They hold for processes below this one, and die with it. */
export function issueApproval(asked: ApprovalRequest): TaskApproval {
  try {
    return mintApproval(asked)
  } catch (error) {
    throw findSandboxProblem(asked.state) ?? error
  }
}

function mintApproval({ state, root, task, gates, may, forMs, approves }: ApprovalRequest): TaskApproval {
  const from = Date.now()
  const born = processStartTime(process.pid)
  if (born === undefined) throw new Error('the processes of this machine cannot be read: nobody can be approved')
  const key = openAttestationKey(state)
  sweepGrants(state, from)
  const approval: Approval = {
    id: randomHex(8),
    root: realpathSync(root),
    task: createHash('sha256').update(task).digest('hex').slice(0, 32),
    approves,
    gates,
    may,
    from,
    until: from + Math.min(forMs + GRACE_MS, MAX_BYPASS_MS),
    pid: process.pid,
    born,
    world: processNamespace(),
  }
  if (!openGrant(state, approval)) throw new Error(notWrittenText(state))
  return {
    id: approval.id,
    token: signApproval(approval, key),
    handTo(pid) {
      const to = { pid, born: processStartTime(pid) ?? '' }
      if (to.born !== '' && !assignGrant(state, approval, to, key)) throw new Error(notWrittenText(state))
    },
    end: () => closeGrant(state, approval.id),
  }
}
