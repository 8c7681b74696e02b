import type { ClientSettings } from './adapter/settings.ts'
import { clientSettings } from './registry.generated.ts'

export type {
  AgentDefinition,
  ClientSettings,
  CommandDefinition,
  CommandFileFormat,
  HookCommand,
  SettingsEntry,
  SettingsScope,
  SettingsSyntax,
  SettingType,
} from './adapter/settings.ts'
export { clientSettings } from './registry.generated.ts'

/** Settings files in which the hook can be registered. A separate entry point, so that the hook process does not load it. */
export const clientSettingsById = (id: string): ClientSettings | undefined =>
  clientSettings.find(clientSetting => clientSetting.id === id)
