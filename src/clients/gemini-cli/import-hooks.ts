import type { JsonObject } from '../../lib/json.ts'
import {
  createHookConverter,
  type HookImporter,
  keyByNameAndCommand,
  quoteClientVariables,
  type SkippedHook,
  skipHook,
  type ToolMatcher,
  wrapForBash,
} from '../adapter/hook-import.ts'
import { CLIENT_ID, eventKindOf } from './decode.ts'
import { REGISTERED_EVENTS } from './settings.ts'

/** A regex that may match anywhere in the name; an invalid regex is a plain name (0.61.0). */
const parseToolMatcher = (matcher: string): readonly ToolMatcher[] => {
  const words = matcher.trim()
  try {
    new RegExp(words)
    return words === '.*' ? [{ regex: '' }] : [{ regex: words }]
  } catch {
    return [words]
  }
}

const CLIENT_VARIABLES = [
  'GEMINI_PROJECT_DIR',
  'GEMINI_CWD',
  'GEMINI_PLANS_DIR',
  'GEMINI_SESSION_ID',
  'CLAUDE_PROJECT_DIR',
]

const commandLineOf = ({ command }: JsonObject): string | SkippedHook => {
  const filled =
    typeof command === 'string' ? quoteClientVariables(command, CLIENT_VARIABLES) : skipHook('it has no command')
  return typeof filled === 'string' ? wrapForBash(filled) : filled
}

const DEFAULT_TIMEOUT_MS = 60_000

export const hookImporter: HookImporter = {
  id: CLIENT_ID,
  files: { user: [], project: [] },
  silent: ({ hooksConfig }) => {
    if (typeof hooksConfig !== 'object' || hooksConfig === null || Array.isArray(hooksConfig)) return undefined
    if (hooksConfig.enabled === false) return '`hooksConfig.enabled` is off'
    const { disabled } = hooksConfig
    return Array.isArray(disabled) && disabled.length > 0 ? '`hooksConfig.disabled` switches some off' : undefined
  },
  same: keyByNameAndCommand,
  convert: createHookConverter({
    id: CLIENT_ID,
    kindOf: eventKindOf,
    events: REGISTERED_EVENTS,
    unmatched: ['BeforeAgent', 'AfterAgent'],
    keys: ['command', 'timeout', 'name', 'description'],
    timeoutMs: ({ timeout }) => (typeof timeout === 'number' && timeout > 0 ? Math.round(timeout) : DEFAULT_TIMEOUT_MS),
    tools: parseToolMatcher,
    line: commandLineOf,
  }),
}
