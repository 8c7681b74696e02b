export { type Adoption, adopt, type Stays } from './adopt.ts'
export type { AdoptedFile, AdoptionPlan, AdoptWanted } from './adoption.ts'
export { NotWritten } from './apply.ts'
export type { Change, Problem } from './change.ts'
export { clientsFound } from './detect.ts'
export { diffOf } from './diff.ts'
export { hookCall, launcherIn } from './hook-call.ts'
export { install } from './install.ts'
export { withLock } from './lock.ts'
export { type Kept, type Manifest, manifestFile, readManifest } from './manifest.ts'
export { dataOf, fileAt, labelOf, type Place } from './place.ts'
export { type Plan, planInit, type Wanted } from './plan.ts'
export { withHooks } from './policy-hooks.ts'
export { CANARY, CANARY_SESSION, type Probed, probe } from './probe.ts'
export {
  type Registration,
  type Registrations,
  registrationsFound,
  registrationsIn,
  settingsIn,
} from './registrations.ts'
export { PROJECT_FILES } from './starter.ts'
export { planUndo, type Undo, undo } from './undo.ts'
