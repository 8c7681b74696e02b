export { delegateAgentsOf } from './agent-docs/delegation.ts'
export { gatesSuggestingOrchestrator } from './agent-docs/orchestrator-commands.ts'
export { findRouterAgent } from './agent-docs/router-agent.ts'
export { findStaleFiles, type StaleFile } from './agent-docs/stale-files.ts'
export { PROJECT_MARKER_FILES } from './agent-docs/starter-policy.ts'
export { ChangesNotApplied } from './apply-changes.ts'
export { detectClients } from './detect-clients.ts'
export type { FileChange, FileProblem } from './file-change.ts'
export { extractHooks, type HookExtraction } from './import-hooks/extract-hooks.ts'
export type { HookImportOptions, ImportedHookFile } from './import-hooks/import-plan.ts'
export { findReplacement, type PackReplacement } from './import-hooks/pack-replacements.ts'
export { addHooksToPolicy } from './import-hooks/policy-hooks.ts'
export { applyInstallPlan } from './install.ts'
export { withInstallLock } from './install-lock.ts'
export { displayPath, type InstallPaths, resolveClientFile } from './install-paths.ts'
export { lineDiff } from './line-diff.ts'
export { type InstallManifest, readManifest } from './manifest.ts'
export { isHookLine } from './ownership.ts'
export { type InstallPlan, planInstall } from './plan.ts'
export { type CanaryResult, runCanary } from './program/canary.ts'
export type { InitOptions } from './program/file-draft.ts'
export { programOfProjectLauncher } from './program/launcher-script.ts'
export {
  checkCommandOnPath,
  commandNameHere,
  gatesSuggestingSignalbox,
  reinstallCommandName,
  withCommandName,
} from './program/path-shim.ts'
export { findStartProblem, isLauncherFile, REQUIRED_FILES } from './program/start-problem.ts'
export { revertChanges } from './revert-changes.ts'
export { findUnsupportedSyntax } from './settings-file/client-syntax.ts'
export { nodeAt, removeAt, replaceNode, setAt } from './settings-file/edit-jsonc.ts'
export { JsoncSyntaxError, nodeValue, parseJsonc } from './settings-file/jsonc.ts'
export {
  type ClientRegistrations,
  readAllRegistrations,
  readRegistrations,
} from './settings-file/registrations.ts'
export { applyUninstallPlan, planUninstall, type UninstallPlan } from './uninstall.ts'
