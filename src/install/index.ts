export { type Adoption, adopt } from './adopt.ts'
export type { AdoptedFile, AdoptWanted } from './adoption.ts'
export { NotWritten } from './apply.ts'
export type { Change, Problem } from './change.ts'
export { clientsFound } from './detect.ts'
export { diffOf } from './diff.ts'
export { install } from './install.ts'
export { Malformed, parseJsonc, saidBy } from './jsonc.ts'
export { withLock } from './lock.ts'
export { type Manifest, readManifest } from './manifest.ts'
export { fileAt, labelOf, type Place } from './place.ts'
export { type Plan, planInit, type Wanted } from './plan.ts'
export { withHooks } from './policy-hooks.ts'
export { CANARY_SESSION, type Probed, probe } from './probe.ts'
export {
  type Registrations,
  registrationsFound,
  registrationsIn,
} from './registrations.ts'
export { PROJECT_FILES } from './starter.ts'
export { planUndo, type Undo, undo } from './undo.ts'
export { nameHere, nameNow } from './word.ts'
