import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '../../engine/index.ts'
import { failureModeOf, type LoadedPolicy } from '../../policy/index.ts'
import type { SessionKey, Store } from '../../store/index.ts'
import type { Approval } from '../approval/approval-token.ts'
import {
  applyBypasses,
  BYPASS_FOLDER,
  type Bypass,
  bypassAppliesIn,
  isBypassOver,
  isSwitchedOff,
  readBypasses,
} from '../approval/bypass.ts'
import { type ApprovalResult, verifyApproval } from '../approval/verify-approval.ts'
import { projectRoot } from '../events/project-root.ts'
import type { FailureContext, HookCall, HookServices, RequiresOneShot } from '../services/hook-services.ts'
import type { DecodedPayload } from './decode-payload.ts'

/** The project of a payload, and the policy in force there. */
export interface Project {
  readonly root: string
  readonly session: SessionKey
  /** with bypasses and the approval applied */
  readonly policy: LoadedPolicy
  readonly bypasses: ProjectBypasses
  /** absent: the call carries no approval */
  readonly approval: ApprovalResult | undefined
  /** everything that lets calls past gates: the bypasses in force and those of the approval */
  readonly allBypasses: readonly Bypass[]
}

interface ProjectBypasses {
  readonly inForce: readonly Bypass[]
  readonly over: readonly Bypass[]
  /** one of the active bypasses is `off`: no notice is added */
  readonly isOff: boolean
}

/** Phase 2: project root, policy, bypasses and approval. */
export function resolveProject(
  { call, events }: DecodedPayload,
  services: HookServices,
  failure: FailureContext,
): Project | RequiresOneShot {
  const { state } = services.folders
  const root = rootOf(call, events, services)
  failure.root = root
  const policy = services.policy(root, events[0]?.cwd ?? call.cwd)
  if ('requiresOneShot' in policy) return policy
  const bypasses = bypassesIn(root, state, call.now)
  const approval = call.approval && verifyApproval(call.approval, { state, root, now: call.now })
  const allBypasses = [...bypasses.inForce, ...bypassesOfApproval(approval)]
  const inForce = allBypasses.length === 0 ? policy : { ...policy, program: applyBypasses(policy.program, allBypasses) }
  failure.failureMode = failureModeOf(inForce.program)
  failure.gateExports = policy.exports
  failure.policy = inForce
  return { root, session: sessionKey(root, call, events), policy: inForce, bypasses, approval, allBypasses }
}

/**
 * The root is pinned to the session at its first event, so that `cd` cannot leave the policy. A payload whose folder is missing or `/`
 * names no project: the folder that the hook itself runs in does.
 */
function rootOf({ client, env, cwd }: HookCall, events: readonly Event[], { store, folders }: HookServices): string {
  const [event] = events
  const pinned = event?.session ? pinnedRoot(store, { client: client.id, session: event.session }) : undefined
  const project = client.projectEnv === undefined ? undefined : env[client.projectEnv]
  const given = event?.cwd
  const isFolder = given !== undefined && given !== '/' && existsSync(given)
  return pinned ?? projectRoot({ project, cwd: isFolder ? given : (cwd ?? given), home: folders.home })
}

/** An unreadable store fails in a later phase, once the policy's failure mode is known. */
function pinnedRoot(store: Store, key: SessionKey): string | undefined {
  try {
    return store.rootOf(key)
  } catch {
    return undefined
  }
}

const NO_BYPASSES: ProjectBypasses = { inForce: [], over: [], isOff: false }

function bypassesIn(root: string, state: string, now: number): ProjectBypasses {
  if (!existsSync(join(state, BYPASS_FOLDER))) return NO_BYPASSES
  const all = readBypasses(state)
  const inForce = all.filter(bypass => !isBypassOver(bypass, now) && bypassAppliesIn(bypass, root))
  return { inForce, over: all.filter(bypass => isBypassOver(bypass, now)), isOff: isSwitchedOff(inForce) }
}

/** Without a session id there is one session per project. No client can send that key. */
const sessionKey = (root: string, { client }: HookCall, [event]: readonly Event[]): SessionKey =>
  event?.session ? { client: client.id, session: event.session } : { client: `${client.id}, by project`, session: root }

/** Acts as a bypass of each named gate that yields, until the approval ends. The start of the task is in the audit log. */
const leavesOf = ({ id, gates, from, until }: Approval): readonly Bypass[] =>
  gates.map(gate => ({ id, gate, from, until, reason: 'bypassed for an orchestrated task', isQuiet: true }))

const bypassesOfApproval = (result: ApprovalResult | undefined): readonly Bypass[] =>
  result && 'approval' in result ? leavesOf(result.approval) : []

/** Whether the call is approved, and which files it may change. */
export const approvalLimits = (result: ApprovalResult | undefined) =>
  result && 'approval' in result
    ? { approved: result.approval.approves, may: result.approval.may }
    : { approved: false }

/** The note about the approval in the audit record. */
export const approvalNote = (result: ApprovalResult): string =>
  'approval' in result
    ? `${result.approval.approves ? 'approved' : 'orchestrated'}: ${result.approval.id}`
    : `an approval was rejected: ${result.refused}`
