import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'opencode'

/** Plugin hooks and events (1.18.33). All others are `other`, and the plugin does not send them. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['session.created', 'session.start'],
  ['session.deleted', 'session.end'],
  ['chat.message', 'prompt.submit'],
  ['tool.execute.before', 'tool.before'],
  ['tool.execute.after', 'tool.after'],
  // sent only for a tool that ended in an error: there is no `tool.execute.after` then
  ['message.part.updated', 'tool.failed'],
  ['session.idle', 'turn.stop'],
  ['experimental.session.compacting', 'compact.before'],
])

/** Only the payload shows whether a `tool.execute.after` is a failed call, and whether a session is a subagent's. */
export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'
