/** How each agent's hooks can be misconfigured. Used only by `doctor`. */

export type {
  ClientDiagnostics,
  HeadlessLaunch,
  HeadlessRun,
  HookHandler,
  LoadedSettingsFile,
  SettingsFile,
  ThirdPartyPlugins,
} from './adapter/diagnostics.ts'
export { clientDiagnostics } from './registry.generated.ts'
