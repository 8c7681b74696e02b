import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'cursor'

/** Those of the 21 documented events that have a canonical kind. Tab completions are not an agent's, so they are `other`. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['sessionStart', 'session.start'],
  ['sessionEnd', 'session.end'],
  ['beforeSubmitPrompt', 'prompt.submit'],
  ['preToolUse', 'tool.before'],
  ['beforeShellExecution', 'tool.before'],
  ['beforeMCPExecution', 'tool.before'],
  ['beforeReadFile', 'tool.before'],
  ['postToolUse', 'tool.after'],
  ['afterShellExecution', 'tool.after'],
  ['afterMCPExecution', 'tool.after'],
  ['afterFileEdit', 'tool.after'],
  ['postToolUseFailure', 'tool.failed'],
  ['subagentStart', 'agent.start'],
  ['subagentStop', 'agent.stop'],
  ['stop', 'turn.stop'],
  ['preCompact', 'compact.before'],
])

/** Cursor may use Claude Code's event name for a hook that it found in Claude Code's settings. */
const CLAUDE_EVENT_NAMES: ReadonlyMap<string, string> = new Map([['UserPromptSubmit', 'beforeSubmitPrompt']])

export const cursorEventName = (name: string): string =>
  CLAUDE_EVENT_NAMES.get(name) ?? (eventNames.has(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

export const eventKindOf = (name: string): EventKind => eventNames.get(cursorEventName(name)) ?? 'other'
