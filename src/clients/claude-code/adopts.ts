import type { JsonObject } from '../../pattern/index.ts'
import { type Adopting, byCommand, fateIn, inSeconds, type Staying, stays, type ToolName } from '../adopting.ts'
import { ID, kindOf } from './events.ts'
import { EVENTS } from './registers.ts'
import { toolNames } from './tools.ts'

/** Read as a list of names; anything else is a regex (2.1.325). */
const NAMES = /^[\w|, -]+$/

/** A name that was given up still stands for the tool: in a list, and where a regex finds it. */
const tools = (matcher: string): readonly ToolName[] => {
  const old = Object.keys(toolNames)
  if (!NAMES.test(matcher)) {
    const found = old.filter(name => new RegExp(matcher).test(name)).map(name => toolNames[name] ?? name)
    return [{ regex: matcher }, ...new Set(found)]
  }
  const named = matcher.split(/[|,]/).flatMap(word => word.trim() || [])
  return [...new Set(named.flatMap(name => [name, toolNames[name] ?? name]))]
}

const sound = (matcher: string): readonly ToolName[] | Staying => {
  try {
    return tools(matcher)
  } catch {
    return stays(`its matcher \`${matcher}\` is no regex, so it never runs`)
  }
}

/** 30 s for a prompt; at the end of a session all hooks share a second and a half, or what the longest asks for, up to a minute. */
const ORDINARY: Readonly<Record<string, number>> = { UserPromptSubmit: 30, SessionEnd: 1.5 }
const END_MS = 57_000

const timeoutMs = (handler: JsonObject, event: string): number => {
  const ms = inSeconds('timeout', ORDINARY[event] ?? 600)(handler)
  return event === 'SessionEnd' ? Math.min(ms, END_MS) : ms
}

export const adopts: Adopting = {
  id: ID,
  files: { user: [], project: [] },
  foreign: {
    project: [
      { file: '.claude/settings.local.json', sign: /"hooks"/, why: 'they are yours in this one project: no policy is' },
    ],
  },
  silent: ({ disableAllHooks }) => (disableAllHooks === true ? '`disableAllHooks` is on' : undefined),
  same: byCommand,
  fate: fateIn({
    id: ID,
    kindOf,
    events: EVENTS,
    unmatched: ['UserPromptSubmit', 'Stop'],
    keys: ['command', 'timeout', 'onFailure'],
    timeoutMs,
    tools: sound,
    closed: ({ event, handler: { onFailure } }) => {
      if (onFailure !== 'block') return onFailure === undefined ? false : stays('a policy has no word for `onFailure`')
      const refuses = event === 'PreToolUse' || event === 'PermissionRequest'
      return refuses || stays(`\`onFailure\` on ${event}: in a policy only a call is refused for a failure`)
    },
  }),
}
