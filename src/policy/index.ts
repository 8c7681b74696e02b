export { type BudgetOwner, budgetOwnerOf, type PolicyCost, PROMPT_FIELD } from './cost-estimate.ts'
export { didYouMean } from './guess.ts'
export { PolicyCache } from './kept.ts'
export { findLayers } from './layers.ts'
export { isLimitExceeded } from './limits.ts'
export { type LoadedPolicy, loadPolicy, loadWithDependencies, type PolicyInput } from './load.ts'
export { findNestedPolicies } from './nested.ts'
export { relabelLocation } from './placed.ts'
export {
  DEFAULT_TASK_MINUTES,
  type FailureMode,
  type GateExport,
  hasUserGates,
  type Policy,
  type SubHook,
  type TextsPerScope,
  type WorkflowCommand,
} from './policy.ts'
export { failureModeOf } from './posture.ts'
export { formatErrorLine, formatPolicyError, type PolicyError } from './problem.ts'
export { readRegularFile, readRegularFileBytes } from './read.ts'
export type { LayerReport } from './report.ts'
export { setTrust, trustRequestsOf } from './trust.ts'
export { evaluateRuleAlone } from './try-rule.ts'
export type { RepeatUntil, Workflow, WorkflowEntry, WorkflowStep } from './workflow.ts'
export { ensurePrivateFolder, writeFileAtomically } from './write.ts'
