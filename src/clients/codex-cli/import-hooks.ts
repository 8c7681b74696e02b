import {
  createHookConverter,
  type HookImporter,
  type SkippedHook,
  skipHook,
  type ToolMatcher,
  timeoutFromSeconds,
} from '../adapter/hook-import.ts'
import { CLIENT_ID, eventKindOf } from './decode.ts'
import { REGISTERED_EVENTS, SESSION_END_SECONDS } from './settings.ts'

/** Other names by which a matcher may refer to a tool (0.166.0). */
const TOOL_ALIASES: readonly (readonly [name: string, aliases: readonly string[]])[] = [
  ['apply_patch', ['Write', 'Edit']],
  ['spawn_agent', ['Agent']],
]

const NAME_LIST = /^[\w|]+$/

const parseToolMatcher = (matcher: string): readonly ToolMatcher[] | SkippedHook => {
  if (NAME_LIST.test(matcher)) {
    const named = matcher.split('|').filter(Boolean)
    const meant = TOOL_ALIASES.flatMap(([name, aliases]) =>
      aliases.some(alias => named.includes(alias)) ? [name] : [],
    )
    return [...new Set([...named, ...meant])]
  }
  // Codex uses Rust regexes, which are close to a policy's; the JavaScript regex only finds the aliases
  try {
    const regex = new RegExp(matcher)
    const meant = TOOL_ALIASES.flatMap(([name, aliases]) => (aliases.some(alias => regex.test(alias)) ? [name] : []))
    return [{ regex: matcher }, ...meant]
  } catch {
    return skipHook(`its matcher \`${matcher}\` cannot be parsed`)
  }
}

/** Hook tables such as `[[hooks.PreToolUse]]`, but not `[hooks.state]`. */
const TOML_HOOKS = /^\s*\[\[?\s*hooks\.(?!state\b)/m

/** Of the time that Codex allows at session end, Signalbox needs 2 s. */
const MAX_SESSION_END_MS = SESSION_END_SECONDS * 1000 - 2000

export const hookImporter: HookImporter = {
  id: CLIENT_ID,
  files: { user: [], project: [] },
  foreign: {
    user: [{ file: '~/.codex/config.toml', sign: TOML_HOOKS, why: 'TOML is not edited' }],
    project: [{ file: '.codex/config.toml', sign: TOML_HOOKS, why: 'TOML is not edited' }],
  },
  convert: createHookConverter({
    id: CLIENT_ID,
    kindOf: eventKindOf,
    events: REGISTERED_EVENTS,
    unmatched: ['UserPromptSubmit', 'Stop'],
    keys: ['command', 'timeout'],
    timeoutMs: (handler, event) => {
      const ms = timeoutFromSeconds('timeout', event === 'SessionEnd' ? 1 : 600)(handler)
      return event === 'SessionEnd' && ms > MAX_SESSION_END_MS
        ? skipHook(`more than ${MAX_SESSION_END_MS / 1000} s at the end of a session`)
        : ms
    },
    tools: parseToolMatcher,
    // Codex runs hooks in the user's own shell, which is unknown here
    line: ({ command }) =>
      typeof command === 'string' && /^[\w@%+=:,./~ "'$-]+$/.test(command)
        ? command
        : skipHook('this client runs it in your own shell, a policy in `sh`: put the command into a script'),
  }),
}
