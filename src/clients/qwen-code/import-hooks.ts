import type { JsonObject } from '../../lib/json.ts'
import {
  createHookConverter,
  type HookImporter,
  keyByNameAndCommand,
  type SkippedHook,
  skipHook,
  type ToolMatcher,
  wrapForBash,
} from '../adapter/hook-import.ts'
import { CLIENT_ID, eventKindOf } from './decode.ts'
import { REGISTERED_EVENTS } from './settings.ts'
import { toolNames } from './tools.ts'

/** Qwen still accepts former tool names, and display names, which have capital letters. */
const DISPLAY_NAME = /[A-Z]/
const FORMER_NAMES = ['replace', 'search_file_content', 'task']

/** An exact name, or a regex that may match anywhere in the name; in a list, each item (0.24.4). */
const parseToolMatcher = (matcher: string): readonly ToolMatcher[] | SkippedHook => {
  const words = matcher.trim()
  const list = /^[^^(]/.test(words) ? words.split('|').flatMap(word => word.trim() || []) : [words]
  const other = list.find(word => DISPLAY_NAME.test(word.replace(/^mcp__.*/, '')) || FORMER_NAMES.includes(word))
  if (other !== undefined) return skipHook(`\`${other}\` is another name of a tool, which a policy does not know`)
  try {
    new RegExp(list.join('|'))
  } catch {
    return skipHook(`its matcher \`${matcher}\` is not a valid regex, so it never runs`)
  }
  if (list.some(word => word === '*' || word === '.*')) return [{ regex: '' }]
  return [{ regex: list.join('|') }, ...list.filter(word => Object.hasOwn(toolNames, word))]
}

const DEFAULT_TIMEOUT_MS = 60_000
/** A timeout of at least this value is in milliseconds, below it in seconds (0.24.4). */
const FIRST_MILLISECOND_VALUE = 1000

const timeoutMsOf = ({ timeout }: JsonObject): number => {
  const value = typeof timeout === 'string' && timeout.trim() !== '' ? Number(timeout) : timeout
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return DEFAULT_TIMEOUT_MS
  return Math.round(value >= FIRST_MILLISECOND_VALUE ? value : value * 1000)
}

export const hookImporter: HookImporter = {
  id: CLIENT_ID,
  files: { user: [], project: [] },
  silent: ({ disableAllHooks }) => (disableAllHooks === true ? '`disableAllHooks` is on' : undefined),
  same: keyByNameAndCommand,
  convert: createHookConverter({
    id: CLIENT_ID,
    kindOf: eventKindOf,
    events: REGISTERED_EVENTS,
    unmatched: ['UserPromptSubmit', 'Stop'],
    keys: ['command', 'timeout', 'name', 'description', 'shell'],
    timeoutMs: timeoutMsOf,
    tools: parseToolMatcher,
    line: ({ command, shell }) => {
      if (shell !== undefined && shell !== 'bash') return skipHook(`it is for ${String(shell)}`)
      return typeof command === 'string' ? wrapForBash(command) : skipHook('it has no command')
    },
  }),
}
