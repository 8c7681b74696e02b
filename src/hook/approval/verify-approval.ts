import { realpathSync } from 'node:fs'
import { readAttestationKey } from '../attestation/attestation-key.ts'
import { isDescendantOf, type ProcessIdentity } from '../process/process-ancestry.ts'
import type { PresentedToken } from '../services/hook-services.ts'
import { type Approval, verifyApprovalToken } from './approval-token.ts'
import { MAX_BYPASS_MS } from './bypass.ts'
import { grantHolder, grantHolders, hasGrant, processNamespace } from './grants.ts'

interface Where {
  readonly state: string
  readonly root: string
  readonly now: number
}

/** An approval that is valid here and now for the process that sent it, or why it is not. Never contains any part of the token. */
export type ApprovalResult = { readonly approval: Approval } | { readonly refused: string }

export function verifyApproval({ token, pid }: PresentedToken, { state, root, now }: Where): ApprovalResult {
  const opened = open(token, state)
  if (!opened) return { refused: 'it was not signed by this user' }
  const { approval, key } = opened
  const { from, until } = approval
  if (now >= until || until - from > MAX_BYPASS_MS || from > now + 60_000) return { refused: 'it has expired' }
  if (!isRoot(root, approval.root)) return { refused: 'it is for another project' }
  if (!hasGrant(state, approval.id)) return { refused: 'its task has ended' }
  return isHandedTo(pid, approval, grantHolder(state, approval.id, key))
    ? { approval }
    : { refused: 'it was not passed on to this process' }
}

/** Without a readable key no token is valid. */
function open(token: string, state: string): { readonly approval: Approval; readonly key: Uint8Array } | undefined {
  try {
    const key = readAttestationKey(state)
    const approval = key && verifyApprovalToken(token, key)
    return approval && { approval, key }
  } catch {
    return undefined
  }
}

/** The process descends from the task's process, which descends from the living orchestrator, all in one pid namespace. */
const isHandedTo = (pid: number, approval: Approval, holder: ProcessIdentity | undefined): boolean =>
  holder !== undefined &&
  approval.world === processNamespace() &&
  isDescendantOf(pid, holder) &&
  isDescendantOf(holder.pid, approval)

function isRoot(root: string, granted: string): boolean {
  if (root === granted) return true
  try {
    return realpathSync(root) === granted
  } catch {
    return false
  }
}

/** Whether a parent of this process works on a task, whatever its environment says. */
export function isInTask(state: string, pid: number): boolean {
  try {
    const key = readAttestationKey(state)
    return key !== undefined && grantHolders(state, key).some(holder => isDescendantOf(pid, holder))
  } catch {
    return false
  }
}
