import { clientSettings } from './registry.generated.ts'
import type { ClientSettings } from './shared/settings.ts'

export { clientSettings } from './registry.generated.ts'
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
} from './shared/settings.ts'

/** Of every agent that is told of the hook by a file. A door of its own: the hook never needs it. */
export const clientSettingsById = (id: string): ClientSettings | undefined => clientSettings.find(one => one.id === id)
