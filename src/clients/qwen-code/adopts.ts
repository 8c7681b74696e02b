import type { JsonObject } from '../../pattern/index.ts'
import { type Adopting, byNameAndCommand, fateIn, forBash, type Staying, stays, type ToolName } from '../adopting.ts'
import { ID, kindOf } from './events.ts'
import { EVENTS } from './registers.ts'
import { toolNames } from './tools.ts'

/** Names it gave up, which it still takes for the new ones; and it knows every tool by a name for people, with capitals. */
const OTHER_NAME = /[A-Z]/
const GIVEN_UP = ['replace', 'search_file_content', 'task']

/** A name to the letter, or a regex found anywhere in it; of a list each word (0.24.4). */
const tools = (matcher: string): readonly ToolName[] | Staying => {
  const words = matcher.trim()
  const list = /^[^^(]/.test(words) ? words.split('|').flatMap(word => word.trim() || []) : [words]
  const other = list.find(word => OTHER_NAME.test(word.replace(/^mcp__.*/, '')) || GIVEN_UP.includes(word))
  if (other !== undefined) return stays(`\`${other}\` is another name of a tool, and a policy does not know which`)
  try {
    new RegExp(list.join('|'))
  } catch {
    return stays(`its matcher \`${matcher}\` is no regex, so it never runs`)
  }
  if (list.some(word => word === '*' || word === '.*')) return [{ regex: '' }]
  return [{ regex: list.join('|') }, ...list.filter(word => Object.hasOwn(toolNames, word))]
}

const ORDINARY_MS = 60_000
/** From here on a timeout is in milliseconds, below it in seconds (0.24.4). */
const MILLISECONDS = 1000

const timeoutMs = ({ timeout }: JsonObject): number => {
  const value = typeof timeout === 'string' && timeout.trim() !== '' ? Number(timeout) : timeout
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return ORDINARY_MS
  return Math.round(value >= MILLISECONDS ? value : value * 1000)
}

export const adopts: Adopting = {
  id: ID,
  files: { user: [], project: [] },
  silent: ({ disableAllHooks }) => (disableAllHooks === true ? '`disableAllHooks` is on' : undefined),
  same: byNameAndCommand,
  fate: fateIn({
    id: ID,
    kindOf,
    events: EVENTS,
    unmatched: ['UserPromptSubmit', 'Stop'],
    keys: ['command', 'timeout', 'name', 'description', 'shell'],
    timeoutMs,
    tools,
    line: ({ command, shell }) => {
      if (shell !== undefined && shell !== 'bash') return stays(`it is for ${String(shell)}`)
      return typeof command === 'string' ? forBash(command) : stays('it names no command')
    },
  }),
}
