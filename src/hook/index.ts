export { APPROVAL_VARIABLE, type Approval, signApproval } from './approval/approval-token.ts'
export {
  applyBypasses,
  type Bypass,
  beginBypass,
  bypassAppliesIn,
  bypassLiftsGate,
  endBypass,
  isBypassOver,
  MAX_BYPASS_MS,
  OFF_BYPASS_ID,
  readBypasses,
} from './approval/bypass.ts'
export { assignGrant, closeGrant, openGrant, processNamespace, sweepGrants } from './approval/grants.ts'
export { isInTask } from './approval/verify-approval.ts'
export { findAttestations, formatAttestation } from './attestation/attestation.ts'
export { openAttestationKey, randomHex } from './attestation/attestation-key.ts'
export { runCommandsOf as attestedRunsOf, withRunEnds } from './attestation/attested-ends.ts'
export { leaveAttestation } from './attestation/left-attestations.ts'
export { workflowRunState } from './attestation/workflow-run-state.ts'
export { Deadline } from './budget/deadline.ts'
export { withActions, withKnownActions } from './events/actions.ts'
export { projectRoot } from './events/project-root.ts'
export { ProgramCache } from './facts/program-cache.ts'
export { realPath } from './facts/real-path.ts'
export { handleEvent } from './handle-event.ts'
export { endAlarm, raiseAlarm } from './notices/notices.ts'
export { gatherFacts } from './phases/analyse-actions.ts'
export { identifySender } from './phases/decode-payload.ts'
export { processStartTime } from './process/process-ancestry.ts'
export { startWatchdog } from './process/watchdog.ts'
export { suggestionConflicts } from './reply/suggestion-order.ts'
export { type Folders, foldersOf, launcherIn, unsafeFolderReason } from './services/folders.ts'
export type { HookResult, RequiresOneShot } from './services/hook-services.ts'
export {
  createServices,
  type LazyDependencies,
  policyInput,
  servicesForEvent,
  storeOptions,
} from './services/services.ts'
export { verificationFile, verificationFolder } from './services/verification-file.ts'
export { BUILD, VERSION } from './services/version.ts'
export { CodeGatePool } from './subhooks/code-gate-pool.ts'
export { startCodeGates, verdictOf } from './subhooks/code-gates.ts'
export { gateEventOf, gateSnapshotOf } from './subhooks/gate-event.ts'
export { newReentrancyMarker } from './subhooks/reentrancy-marker.ts'
