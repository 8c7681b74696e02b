import type { HookImporter } from './adapter/hook-import.ts'
import { hookImporters } from './registry.generated.ts'

export {
  type ExistingHook,
  type HookImporter,
  type ImportedHook,
  isSkippedHook,
  type ToolMatcher,
} from './adapter/hook-import.ts'

/** Of every agent that runs commands of the person's own. A door of its own: the hook never needs it. */
export const hookImporterById = (id: string): HookImporter | undefined => hookImporters.find(one => one.id === id)
