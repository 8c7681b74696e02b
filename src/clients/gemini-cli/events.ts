import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'gemini-cli'

/** The client's eleven event names (0.61.0). What is not here, or means a model request, is `other`. */
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

/** Of an AfterTool only the payload tells whether the call failed. */
export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'
