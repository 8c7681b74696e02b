import type { JsonObject } from '../../pattern/index.ts'
import { type Adopting, fateIn, forBash, type Staying, stays, type ToolName } from '../adopting.ts'
import { ID, kindOf } from './events.ts'
import { EVENTS } from './registers.ts'

/** A regex for the whole name; one that is none means that the hook is skipped (1.0.102). */
const tools = (matcher: string): readonly ToolName[] | Staying => {
  if (/^[\w|-]+$/.test(matcher)) return matcher.split('|').filter(Boolean)
  try {
    new RegExp(`^(?:${matcher})$`)
    return [{ regex: `^(?:${matcher})$` }]
  } catch {
    return stays(`its matcher \`${matcher}\` is no regex, so it never runs`)
  }
}

const ORDINARY_S = 30

const timeoutMs = ({ timeoutSec, timeout }: JsonObject): number => {
  const value = timeoutSec ?? timeout
  return Math.round((typeof value === 'number' && value > 0 ? value : ORDINARY_S) * 1000)
}

const line = ({ bash, command }: JsonObject): string | Staying => {
  const given = bash ?? command
  return typeof given === 'string' ? forBash(given) : stays('it has no line for this system')
}

const fate = fateIn({
  id: ID,
  kindOf,
  events: EVENTS,
  unmatched: ['userPromptSubmitted', 'agentStop'],
  every: [''],
  keys: ['bash', 'command', 'powershell', 'timeoutSec', 'timeout'],
  timeoutMs,
  tools,
  line,
})

export const adopts: Adopting = {
  id: ID,
  files: {
    user: ['~/.copilot/hooks/', '~/.copilot/settings.json'],
    project: ['.github/hooks/', '.github/copilot/settings.json'],
  },
  borrows: { user: [], project: ['.claude/settings.json'] },
  silent: ({ disableAllHooks }) => (disableAllHooks === true ? '`disableAllHooks` is on' : undefined),
  // it runs them one after another, and each sees what the one before made of the call
  fate: own =>
    own.alone ? fate(own) : stays(`one of several on ${own.event}, which run in turn; in a policy at once`),
}
