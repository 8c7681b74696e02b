import { type Adopting, fateIn, inSeconds, type Staying, stays, type ToolName } from '../adopting.ts'
import { ID, kindOf } from './events.ts'
import { END_S, EVENTS } from './registers.ts'

/** Other names that a matcher may call a tool by (0.166.0). */
const ALIASES: readonly (readonly [name: string, aliases: readonly string[]])[] = [
  ['apply_patch', ['Write', 'Edit']],
  ['spawn_agent', ['Agent']],
]

const NAMES = /^[\w|]+$/

const tools = (matcher: string): readonly ToolName[] | Staying => {
  if (NAMES.test(matcher)) {
    const named = matcher.split('|').filter(Boolean)
    const meant = ALIASES.flatMap(([name, aliases]) => (aliases.some(one => named.includes(one)) ? [name] : []))
    return [...new Set([...named, ...meant])]
  }
  // its regexes are those of Rust, which are nearly those of a policy; another engine only helps to find the aliases
  try {
    const regex = new RegExp(matcher)
    const meant = ALIASES.flatMap(([name, aliases]) => (aliases.some(one => regex.test(one)) ? [name] : []))
    return [{ regex: matcher }, ...meant]
  } catch {
    return stays(`its matcher \`${matcher}\` cannot be read here`)
  }
}

/** `[[hooks.PreToolUse]]`; what it keeps of their state is none. */
const TOML = /^\s*\[\[?\s*hooks\.(?!state\b)/m

/** At the end of a session there is no more time than for Signalbox and a second. */
const END_MS = END_S * 1000 - 2000

export const adopts: Adopting = {
  id: ID,
  files: { user: [], project: [] },
  foreign: {
    user: [{ file: '~/.codex/config.toml', sign: TOML, why: 'TOML is not edited' }],
    project: [{ file: '.codex/config.toml', sign: TOML, why: 'TOML is not edited' }],
  },
  fate: fateIn({
    id: ID,
    kindOf,
    events: EVENTS,
    unmatched: ['UserPromptSubmit', 'Stop'],
    keys: ['command', 'timeout'],
    timeoutMs: (handler, event) => {
      const ms = inSeconds('timeout', event === 'SessionEnd' ? 1 : 600)(handler)
      return event === 'SessionEnd' && ms > END_MS ? stays(`more than ${END_MS / 1000} s at the end of a session`) : ms
    },
    tools,
    // it starts hooks by the shell of the person's own, which nobody can tell from here
    line: ({ command }) =>
      typeof command === 'string' && /^[\w@%+=:,./~ "'$-]+$/.test(command)
        ? command
        : stays('this client gives it to your own shell, a policy to `sh`: put the line into a script'),
  }),
}
