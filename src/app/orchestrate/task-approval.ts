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
  /** gates that the approval lifts, as the policy sets */
  readonly gates: readonly string[]
  /** the only paths it may change; absent: whatever the policy permits */
  readonly may?: readonly string[] | undefined
  readonly forMs: number
  /** false for a question */
  readonly approves: boolean
}

/** What one task of this process may do until it ends. */
export interface TaskApproval {
  readonly id: string
  /** only for the environment of the process that does the task */
  readonly token: string
  /** Binds the token to this process and its descendants. Before that, the token is invalid. */
  bindToProcess(pid: number): void
  /** Invalidates the token. */
  end(): void
}

/** Extra time after the task for a last call in flight. */
const GRACE_MS = 60_000

const notWrittenText = (state: string): string => `the approval cannot be written to ${state}`

/** The only place that issues approvals. They hold for descendants of this process and end with it. */
export function issueApproval(request: ApprovalRequest): TaskApproval {
  try {
    return mintApproval(request)
  } catch (error) {
    throw findSandboxProblem(request.state) ?? error
  }
}

function mintApproval({ state, root, task, gates, may, forMs, approves }: ApprovalRequest): TaskApproval {
  const from = Date.now()
  const born = processStartTime(process.pid)
  if (born === undefined) throw new Error('the list of processes cannot be read, so no task can be approved')
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
    bindToProcess(pid) {
      const to = { pid, born: processStartTime(pid) ?? '' }
      if (to.born !== '' && !assignGrant(state, approval, to, key)) throw new Error(notWrittenText(state))
    },
    end: () => closeGrant(state, approval.id),
  }
}
