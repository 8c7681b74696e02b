import type { HookImporter } from './adapter/hook-import.ts'
import { hookImporters } from './registry.generated.ts'

export {
  type ExistingHook,
  type HookImporter,
  type ImportedHook,
  isSkippedHook,
  type ToolMatcher,
} from './adapter/hook-import.ts'

/** Importers of users' existing hooks. A separate entry point, so that the hook process does not load them. */
export const hookImporterById = (id: string): HookImporter | undefined =>
  hookImporters.find(hookImporter => hookImporter.id === id)
