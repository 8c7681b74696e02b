import type { JsonObject } from '../../lib/json.ts'
import {
  createHookConverter,
  type HookImporter,
  keyByCommand,
  type SkippedHook,
  skipHook,
  type ToolMatcher,
  timeoutFromSeconds,
} from '../adapter/hook-import.ts'
import { CLIENT_ID, eventKindOf } from './decode.ts'
import { REGISTERED_EVENTS } from './settings.ts'
import { toolNames } from './tools.ts'

/** A matcher of this form is a list of names; any other is a regex (2.1.325). */
const NAME_LIST = /^[\w|, -]+$/

/** A tool's former name still matches the tool, in a list and in a regex. */
const parseToolMatcher = (matcher: string): readonly ToolMatcher[] => {
  const old = Object.keys(toolNames)
  if (!NAME_LIST.test(matcher)) {
    const found = old.filter(name => new RegExp(matcher).test(name)).map(name => toolNames[name] ?? name)
    return [{ regex: matcher }, ...new Set(found)]
  }
  const named = matcher.split(/[|,]/).flatMap(word => word.trim() || [])
  return [...new Set(named.flatMap(name => [name, toolNames[name] ?? name]))]
}

const parseValidMatcher = (matcher: string): readonly ToolMatcher[] | SkippedHook => {
  try {
    return parseToolMatcher(matcher)
  } catch {
    return skipHook(`its matcher \`${matcher}\` is not a valid regex, so it never runs`)
  }
}

/** 30 s for a prompt. At session end all hooks share 1.5 s, or the longest timeout of them, up to a minute. */
const DEFAULT_TIMEOUT_SECONDS: Readonly<Record<string, number>> = { UserPromptSubmit: 30, SessionEnd: 1.5 }
const MAX_SESSION_END_MS = 57_000

const timeoutMsOf = (handler: JsonObject, event: string): number => {
  const ms = timeoutFromSeconds('timeout', DEFAULT_TIMEOUT_SECONDS[event] ?? 600)(handler)
  return event === 'SessionEnd' ? Math.min(ms, MAX_SESSION_END_MS) : ms
}

export const hookImporter: HookImporter = {
  id: CLIENT_ID,
  files: { user: [], project: [] },
  foreign: {
    project: [
      {
        file: '.claude/settings.local.json',
        sign: /"hooks"/,
        why: 'they are your own hooks in this one project, and there is no such policy',
      },
    ],
  },
  silent: ({ disableAllHooks }) => (disableAllHooks === true ? '`disableAllHooks` is on' : undefined),
  same: keyByCommand,
  convert: createHookConverter({
    id: CLIENT_ID,
    kindOf: eventKindOf,
    events: REGISTERED_EVENTS,
    unmatched: ['UserPromptSubmit', 'Stop'],
    keys: ['command', 'timeout', 'onFailure'],
    timeoutMs: timeoutMsOf,
    tools: parseValidMatcher,
    closed: ({ event, handler: { onFailure } }) => {
      if (onFailure !== 'block')
        return onFailure === undefined ? false : skipHook('a policy cannot express `onFailure`')
      const refuses = event === 'PreToolUse' || event === 'PermissionRequest'
      return refuses || skipHook(`\`onFailure\` on ${event}: in a policy a failed hook can deny only tool calls`)
    },
  }),
}
