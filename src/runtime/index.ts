export { realPath, withActs, withKnownActs } from './acts.ts'
export { endAlarm, raiseAlarm } from './alarm.ts'
export { APPROVAL, type Approval, mintToken } from './approval.ts'
export { isInTask } from './approved.ts'
export {
  type Bypass,
  beginBypass,
  endBypass,
  holdsIn,
  isOver,
  LONGEST_MS,
  lifted,
  lifts,
  OFF,
  readBypasses,
} from './bypass.ts'
export { openCodeGates, verdictOf } from './code-gates.ts'
export { Deadline } from './deadline.ts'
export { bornOf } from './descent.ts'
export { Elsewhere } from './elsewhere.ts'
export { gatherFacts } from './facts.ts'
export { type Folders, foldersOf, unsafeFolderReason } from './folders.ts'
export { gateEventOf, gateSnapshotOf } from './gate-event.ts'
export { closeGrant, handGrant, openGrant, sweepGrants, worldOf } from './grants.ts'
export { handleEvent } from './handle-event.ts'
export { houseOf, openHouse, type Parts, policyInput, storeOptions } from './house.ts'
export { leaveAttestation } from './late-runs/attested.ts'
export { newMark } from './mark.ts'
export { KnownPrograms } from './programs.ts'
export { proofFile, proofFolder } from './proof-file.ts'
export { projectRoot } from './root.ts'
export { runStateOf } from './run-state.ts'
export { refusersOfSuggestion } from './suggestion-order.ts'
export { BUILD, VERSION } from './version.ts'
export { startWatchdog } from './watchdog.ts'
export { witnessesIn, witnessLine } from './witness.ts'
export { openKey, randomHex } from './witness-key.ts'
export { believing, runsOf } from './witnessed.ts'
