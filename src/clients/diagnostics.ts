export type {
  ClientDiagnostics,
  HeadlessLaunch,
  HeadlessRun,
  HookHandler,
  LoadedSettingsFile,
  SettingsFile,
} from './shared/diagnostics.ts'
/** How each agent's hooks go wrong, for `doctor` alone. */
export { clientDiagnostics } from './registry.generated.ts'
