import {
  createHookConverter,
  type HookImporter,
  type SkippedHook,
  skipHook,
  type ToolMatcher,
  timeoutFromSeconds,
} from '../adapter/hook-import.ts'
import { CLIENT_ID, eventKindOf } from './decode.ts'
import { REGISTERED_EVENTS } from './settings.ts'

/** A regex that may match anywhere in the name; an invalid regex matches everything (SDK 1.0.32). */
const parseToolMatcher = (matcher: string): readonly ToolMatcher[] | SkippedHook => {
  try {
    new RegExp(matcher)
    return [{ regex: matcher }]
  } catch {
    return [{ regex: '' }]
  }
}

export const hookImporter: HookImporter = {
  id: CLIENT_ID,
  files: { user: [], project: [] },
  borrows: { user: ['~/.claude/settings.json'], project: ['.claude/settings.json'] },
  convert: createHookConverter({
    id: CLIENT_ID,
    kindOf: eventKindOf,
    events: REGISTERED_EVENTS,
    unmatched: [],
    keys: ['command', 'timeout', 'failClosed'],
    timeoutMs: timeoutFromSeconds('timeout', 60),
    tools: parseToolMatcher,
    closed: ({ event, handler }) => {
      if (handler.failClosed !== true) return false
      return (
        event === 'preToolUse' ||
        skipHook(`\`failClosed\` on ${event}: in a policy a failed hook can deny only tool calls`)
      )
    },
  }),
}
