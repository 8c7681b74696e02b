import { EVENT_KINDS, type EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'claude-code'

/** The client's name of each canonical event; null: several (2.1.325 has 33 event names). */
export const EVENT_NAME_BY_KIND: Readonly<Record<EventKind, string | null>> = {
  'session.start': 'SessionStart',
  'session.end': 'SessionEnd',
  'prompt.submit': 'UserPromptSubmit',
  'tool.before': 'PreToolUse',
  'tool.after': 'PostToolUse',
  'tool.failed': 'PostToolUseFailure',
  'permission.request': 'PermissionRequest',
  'agent.start': 'SubagentStart',
  'agent.stop': 'SubagentStop',
  'turn.stop': 'Stop',
  'compact.before': 'PreCompact',
  notification: 'Notification',
  other: null,
}

export const eventNames: ReadonlyMap<string, EventKind> = new Map(
  EVENT_KINDS.flatMap((kind): [string, EventKind][] => {
    const name = EVENT_NAME_BY_KIND[kind]
    return name === null ? [] : [[name, kind]]
  }),
)

const kindsByLowerName: ReadonlyMap<string, EventKind> = new Map(
  [...eventNames].map(([name, kind]) => [name.toLowerCase(), kind]),
)

/** Other agents run the hooks in Claude Code's settings and may spell its events `preToolUse` or `pre_tool_use`. */
export const eventKindOf = (name: string): EventKind =>
  eventNames.get(name) ?? kindsByLowerName.get(name.replaceAll('_', '').toLowerCase()) ?? 'other'
