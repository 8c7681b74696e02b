import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'qwen-code'

/** Those of the client's 22 event names (0.24.4) that have a canonical kind. All others are `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['SessionStart', 'session.start'],
  ['SessionEnd', 'session.end'],
  ['UserPromptSubmit', 'prompt.submit'],
  ['PreToolUse', 'tool.before'],
  ['PostToolUse', 'tool.after'],
  ['PostToolUseFailure', 'tool.failed'],
  ['PermissionRequest', 'permission.request'],
  ['SubagentStart', 'agent.start'],
  ['SubagentStop', 'agent.stop'],
  ['Stop', 'turn.stop'],
  ['PreCompact', 'compact.before'],
  ['Notification', 'notification'],
])

export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'
