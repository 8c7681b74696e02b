export { type BudgetOwner, budgetOwnerOf, type PolicyCost, PROMPT_FIELD } from './cost-estimate.ts'
export { didYouMean } from '../lib/did-you-mean.ts'
export { PolicyCache } from './cache/policy-cache.ts'
export { findLayers } from './find/layers.ts'
export { isLimitExceeded } from './limits.ts'
export { type LoadedPolicy, loadPolicy, loadWithDependencies, type PolicyInput } from './load.ts'
export { findNestedPolicies } from './find/nested-policies.ts'
export { relabelLocation } from './parse/location-label.ts'
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
export { failureModeOf } from './failure-mode.ts'
export { formatErrorLine, formatPolicyError, type PolicyError } from './parse/policy-error.ts'
export { readRegularFile, readRegularFileBytes } from '../lib/fs/regular-file.ts'
export type { LayerReport } from './compile/layer-report.ts'
export { setTrust, trustRequestsOf } from './trust/trust.ts'
export { evaluateRuleAlone } from './evaluate-rule-alone.ts'
export type { RepeatUntil, Workflow, WorkflowEntry, WorkflowStep } from './workflow.ts'
export { ensurePrivateFolder, writeFileAtomically } from '../lib/fs/atomic-write.ts'
