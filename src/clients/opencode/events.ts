import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'opencode'

/** Hooks of a plugin, and events it is told of (1.18.33). What is not here is `other`, and the plugin does not send it. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['session.created', 'session.start'],
  ['session.deleted', 'session.end'],
  ['chat.message', 'prompt.submit'],
  ['tool.execute.before', 'tool.before'],
  ['tool.execute.after', 'tool.after'],
  // only of a tool that ended in an error: then there is no `tool.execute.after`
  ['message.part.updated', 'tool.failed'],
  ['session.idle', 'turn.stop'],
  ['experimental.session.compacting', 'compact.before'],
])

/** Of a `tool.execute.after` only the payload tells whether the call failed, and of a session whether it is an agent's. */
export const eventKindOf = (name: string): EventKind => eventNames.get(name) ?? 'other'
