import type { JsonObject } from '../../pattern/index.ts'
import {
  type Adopting,
  byNameAndCommand,
  fateIn,
  filledIn,
  forBash,
  type Staying,
  stays,
  type ToolName,
} from '../adopting.ts'
import { ID, kindOf } from './events.ts'
import { EVENTS } from './registers.ts'

/** A regex, found anywhere in the name; what is none is a name (0.61.0). */
const tools = (matcher: string): readonly ToolName[] => {
  const words = matcher.trim()
  try {
    new RegExp(words)
    return words === '.*' ? [{ regex: '' }] : [{ regex: words }]
  } catch {
    return [words]
  }
}

const FILLED = ['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'GEMINI_PLANS_DIR', 'GEMINI_SESSION_ID', 'CLAUDE_PROJECT_DIR']

const line = ({ command }: JsonObject): string | Staying => {
  const filled = typeof command === 'string' ? filledIn(command, FILLED) : stays('it names no command')
  return typeof filled === 'string' ? forBash(filled) : filled
}

const ORDINARY_MS = 60_000

export const adopts: Adopting = {
  id: ID,
  files: { user: [], project: [] },
  silent: ({ hooksConfig }) => {
    if (typeof hooksConfig !== 'object' || hooksConfig === null || Array.isArray(hooksConfig)) return undefined
    if (hooksConfig.enabled === false) return '`hooksConfig.enabled` is off'
    const { disabled } = hooksConfig
    return Array.isArray(disabled) && disabled.length > 0 ? '`hooksConfig.disabled` switches some off' : undefined
  },
  same: byNameAndCommand,
  fate: fateIn({
    id: ID,
    kindOf,
    events: EVENTS,
    unmatched: ['BeforeAgent', 'AfterAgent'],
    keys: ['command', 'timeout', 'name', 'description'],
    timeoutMs: ({ timeout }) => (typeof timeout === 'number' && timeout > 0 ? Math.round(timeout) : ORDINARY_MS),
    tools,
    line,
  }),
}
