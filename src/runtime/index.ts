export { realPath, withActions, withKnownActions } from './acts.ts'
export { endAlarm, raiseAlarm } from './alarm.ts'
export { APPROVAL_VARIABLE, type Approval, signApproval } from './approval.ts'
export { isInTask } from './approved.ts'
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
} from './bypass.ts'
export { openCodeGates, verdictOf } from './code-gates.ts'
export { Deadline } from './deadline.ts'
export { processStartTime } from './descent.ts'
export { RequiresOneShot } from './elsewhere.ts'
export { gatherFacts } from './facts.ts'
export { type Folders, foldersOf, unsafeFolderReason } from './folders.ts'
export { gateEventOf, gateSnapshotOf } from './gate-event.ts'
export { assignGrant, closeGrant, openGrant, processNamespace, sweepGrants } from './grants.ts'
export { handleEvent } from './handle-event.ts'
export { createServices, type LazyDependencies, policyInput, servicesForEvent, storeOptions } from './house.ts'
export { leaveAttestation } from './late-runs/attested.ts'
export { newReentrancyMarker } from './mark.ts'
export { ProgramCache } from './programs.ts'
export { verificationFile, verificationFolder } from './proof-file.ts'
export { projectRoot } from './root.ts'
export { workflowRunState } from './run-state.ts'
export { refusersOfSuggestion } from './suggestion-order.ts'
export { BUILD, VERSION } from './version.ts'
export { startWatchdog } from './watchdog.ts'
export { findAttestations, formatAttestation } from './witness.ts'
export { openAttestationKey, randomHex } from './witness-key.ts'
export { attestedRunsOf, withRunEnds } from './witnessed.ts'
