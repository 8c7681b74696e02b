export { withActs } from './acts.ts'
export { endAlarm, raiseAlarm } from './alarm.ts'
export {
  type Bypass,
  beginBypass,
  endBypass,
  holdsIn,
  isOver,
  LONGEST_MS,
  lifted,
  OFF,
  readBypasses,
} from './bypass.ts'
export { openCodeGates } from './code-gates.ts'
export { Deadline } from './deadline.ts'
export { Elsewhere } from './elsewhere.ts'
export { gatherFacts } from './facts.ts'
export { type Folders, foldersOf } from './folders.ts'
export { houseOf, openHouse, type Parts, policyInput } from './house.ts'
export { handle } from './pipeline.ts'
export { KnownPrograms } from './programs.ts'
export { projectRoot } from './root.ts'
export { BUILD, VERSION } from './version.ts'
export { witnessesIn, witnessLine } from './witness.ts'
export { openKey, randomHex } from './witness-key.ts'
export { believing, runsOf } from './witnessed.ts'
