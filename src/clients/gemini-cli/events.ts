import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'gemini-cli'

/** The client has eleven event names (0.61.0). Model requests and unknown names are `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['SessionStart', 'session.start'],
  ['SessionEnd', 'session.end'],
  ['BeforeAgent', 'prompt.submit'],
  ['AfterAgent', 'turn.stop'],
  ['BeforeTool', 'tool.before'],
  ['AfterTool', 'tool.after'],
  ['PreCompress', 'compact.before'],
  ['Notification', 'notification'],
])

/** AfterTool is always `tool.after` here: only the payload shows whether the call failed. */
export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'
