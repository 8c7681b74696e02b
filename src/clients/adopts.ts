import type { HookImporter } from './adopting.ts'
import { hookImporters } from './desks.ts'

export { type ExistingHook, type HookImporter, type ImportedHook, isSkippedHook, type ToolMatcher } from './adopting.ts'

/** Of every agent that runs commands of the person's own. A door of its own: the hook never needs it. */
export const hookImporterById = (id: string): HookImporter | undefined => hookImporters.find(one => one.id === id)
