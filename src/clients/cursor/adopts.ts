import { type Adopting, fateIn, inSeconds, type Staying, stays, type ToolName } from '../adopting.ts'
import { ID, kindOf } from './events.ts'
import { EVENTS } from './registers.ts'

/** A regex, found anywhere in the name; one that is none matches all (SDK 1.0.32). */
const tools = (matcher: string): readonly ToolName[] | Staying => {
  try {
    new RegExp(matcher)
    return [{ regex: matcher }]
  } catch {
    return [{ regex: '' }]
  }
}

export const adopts: Adopting = {
  id: ID,
  files: { user: [], project: [] },
  borrows: { user: ['~/.claude/settings.json'], project: ['.claude/settings.json'] },
  fate: fateIn({
    id: ID,
    kindOf,
    events: EVENTS,
    unmatched: [],
    keys: ['command', 'timeout', 'failClosed'],
    timeoutMs: inSeconds('timeout', 60),
    tools,
    closed: ({ event, handler }) => {
      if (handler.failClosed !== true) return false
      return (
        event === 'preToolUse' || stays(`\`failClosed\` on ${event}: in a policy only a call is refused for a failure`)
      )
    },
  }),
}
