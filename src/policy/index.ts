export { PROMPT, type Side, sideOf, type Weight } from './cost-estimate.ts'
export { didYouMean } from './guess.ts'
export { KeptPolicies } from './kept.ts'
export { findLayers } from './layers.ts'
export { isOverLimit } from './limits.ts'
export { type LoadedPolicy, loadPolicy, loadWithBasis, type PolicyInput } from './load.ts'
export { findNested } from './nested.ts'
export { placed } from './placed.ts'
export {
  type Export,
  type Hook,
  hasOwnGates,
  type OnError,
  type Policy,
  type Sides,
  TASK_MINUTES,
  type WorkflowCommand,
} from './policy.ts'
export { postureOf } from './posture.ts'
export { oneLine, type PolicyError, showProblem } from './problem.ts'
export { bytesOfRegular, readRegular } from './read.ts'
export type { LayerReport } from './report.ts'
export { setTrust, whatTrustCovers } from './trust.ts'
export { tryRule } from './try-rule.ts'
export type { Until, Workflow, WorkflowEntry, WorkflowStep } from './workflow.ts'
export { makeFolder, writeAtomically } from './write.ts'
