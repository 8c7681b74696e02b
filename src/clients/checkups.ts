export type {
  ClientDiagnostics,
  HeadlessLaunch,
  HeadlessRun,
  HookHandler,
  LoadedSettingsFile,
  SettingsFile,
} from './checkup.ts'
/** How each agent's hooks go wrong, for `doctor` alone. */
export { clientDiagnostics } from './desks.ts'
