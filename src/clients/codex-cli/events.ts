import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'codex-cli'

/** The client's event names (0.166.0). PostToolUse comes for failed calls too; PostCompact is `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['SessionStart', 'session.start'],
  ['SessionEnd', 'session.end'],
  ['UserPromptSubmit', 'prompt.submit'],
  ['PreToolUse', 'tool.before'],
  ['PostToolUse', 'tool.after'],
  ['PermissionRequest', 'permission.request'],
  ['SubagentStart', 'agent.start'],
  ['SubagentStop', 'agent.stop'],
  ['Stop', 'turn.stop'],
  ['PreCompact', 'compact.before'],
])

export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'
