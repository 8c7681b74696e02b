import type { JsonObject } from '../../lib/json.ts'
import {
  createHookConverter,
  type HookImporter,
  type SkippedHook,
  skipHook,
  type ToolMatcher,
  wrapForBash,
} from '../adapter/hook-import.ts'
import { CLIENT_ID, eventKindOf } from './decode.ts'
import { REGISTERED_EVENTS } from './settings.ts'

/** A regex for the whole name; the client skips a hook with an invalid regex (1.0.102). */
const parseToolMatcher = (matcher: string): readonly ToolMatcher[] | SkippedHook => {
  if (/^[\w|-]+$/.test(matcher)) return matcher.split('|').filter(Boolean)
  try {
    new RegExp(`^(?:${matcher})$`)
    return [{ regex: `^(?:${matcher})$` }]
  } catch {
    return skipHook(`its matcher \`${matcher}\` is not a valid regex, so it never runs`)
  }
}

const DEFAULT_TIMEOUT_SECONDS = 30

const timeoutMsOf = ({ timeoutSec, timeout }: JsonObject): number => {
  const value = timeoutSec ?? timeout
  return Math.round((typeof value === 'number' && value > 0 ? value : DEFAULT_TIMEOUT_SECONDS) * 1000)
}

const commandLineOf = ({ bash, command }: JsonObject): string | SkippedHook => {
  const given = bash ?? command
  return typeof given === 'string' ? wrapForBash(given) : skipHook('it has no command for this operating system')
}

const convertHook = createHookConverter({
  id: CLIENT_ID,
  kindOf: eventKindOf,
  events: REGISTERED_EVENTS,
  unmatched: ['userPromptSubmitted', 'agentStop'],
  every: [''],
  keys: ['bash', 'command', 'powershell', 'timeoutSec', 'timeout'],
  timeoutMs: timeoutMsOf,
  tools: parseToolMatcher,
  line: commandLineOf,
})

export const hookImporter: HookImporter = {
  id: CLIENT_ID,
  files: {
    user: ['~/.copilot/hooks/', '~/.copilot/settings.json'],
    project: ['.github/hooks/', '.github/copilot/settings.json'],
  },
  borrows: { user: [], project: ['.claude/settings.json'] },
  silent: ({ disableAllHooks }) => (disableAllHooks === true ? '`disableAllHooks` is on' : undefined),
  // Copilot runs the hooks of an event in sequence, and each sees the call as the previous hook changed it
  convert: own =>
    own.alone
      ? convertHook(own)
      : skipHook(
          `it is one of several on ${own.event}, which run one after another; a policy runs them at the same time`,
        ),
}
