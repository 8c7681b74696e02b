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

/** Of every agent that is told of the hook by a file. A door of its own: the hook never needs it. */
export const clientSettingsById = (id: string): ClientSettings | undefined => clientSettings.find(one => one.id === id)
