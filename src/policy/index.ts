export { didYouMean } from '../lib/did-you-mean.ts'
export { ensurePrivateFolder, readRegularFile, readRegularFileBytes, writeFileAtomically } from '../lib/files.ts'
export { PolicyCache } from './cache/policy-cache.ts'
export type { LayerReport } from './compile/layer-report.ts'
export { type BudgetOwner, budgetOwnerOf, type PolicyCost, PROMPT_FIELD, WRITTEN_TEXT } from './cost-estimate.ts'
export { evaluateRuleAlone } from './evaluate-rule-alone.ts'
export { findLayers, setTrust, trustRequestsOf } from './find/layers.ts'
export { findNestedPolicies } from './find/nested-policies.ts'
export { isLimitExceeded } from './limits.ts'
export {
  failureModeOf,
  hasUserGates,
  type LoadedPolicy,
  loadPolicy,
  loadWithDependencies,
  type PolicyInput,
} from './load.ts'
export { relabelLocation } from './parse/location-label.ts'
export { formatErrorLine, formatPolicyError, type PolicyError } from './parse/policy-error.ts'
export {
  DEFAULT_TASK_MINUTES,
  type FailureMode,
  type GateExport,
  type OrchestrationPerOwner,
  type Policy,
  type SubHook,
  type WorkflowCommand,
} from './policy.ts'
export type { RepeatUntil, Workflow, WorkflowEntry, WorkflowStep } from './workflow.ts'
