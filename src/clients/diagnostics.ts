/** How each agent's hooks go wrong, for `doctor` alone. */

export type {
  ClientDiagnostics,
  HeadlessLaunch,
  HeadlessRun,
  HookHandler,
  LoadedSettingsFile,
  SettingsFile,
} from './adapter/diagnostics.ts'
export { clientDiagnostics } from './registry.generated.ts'
