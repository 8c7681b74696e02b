export { extractHooks, type HookExtraction } from './adopt.ts'
export type { HookImportOptions, ImportedHookFile } from './adoption.ts'
export { ChangesNotApplied } from './apply.ts'
export { delegateAgentsOf } from './boundary.ts'
export type { FileChange, FileProblem } from './change.ts'
export { gatesSuggestingOrchestrator } from './commands.ts'
export { detectClients } from './detect.ts'
export { lineDiff } from './diff.ts'
export { nodeAt, removeAt, replaceNode, setAt } from './edit.ts'
export { applyInstallPlan } from './install.ts'
export { JsoncSyntaxError, nodeValue, parseJsonc } from './jsonc.ts'
export { findUnsupportedSyntax } from './loaded.ts'
export { withInstallLock } from './lock.ts'
export { type InstallManifest, readManifest } from './manifest.ts'
export { isHookLine } from './ours.ts'
export { displayPath, type InstallPaths, resolveClientFile } from './place.ts'
export { type InitOptions, type InstallPlan, planInstall } from './plan.ts'
export { addHooksToPolicy } from './policy-hooks.ts'
export { type CanaryResult, runCanary } from './probe.ts'
export {
  type ClientRegistrations,
  findRegistrations,
  readRegistrations,
} from './registrations.ts'
export type { PackReplacement } from './replaced.ts'
export { revertChanges } from './revert.ts'
export { findRouterAgent } from './router.ts'
export { findStaleFiles, type StaleFile } from './stale.ts'
export { PROJECT_MARKER_FILES } from './starter.ts'
export { applyUninstallPlan, planUninstall, type UninstallPlan } from './undo.ts'
export { findIntegrityProblem, isLauncherFile, REQUIRED_FILES } from './whole.ts'
export {
  checkCommandOnPath,
  commandNameHere,
  gatesSuggestingSignalbox,
  reinstallCommandName,
  withCommandName,
} from './word.ts'
