import type { EventKind } from '../../engine/index.ts'

export const CLIENT_ID = 'cursor'

/** Of the 21 documented events those with a common meaning. Tab completions are no agent's, so they are `other`. */
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

/** A hook it found in the settings of Claude Code may be called by the name it was registered under. */
const CLAUDE_EVENT_NAMES: ReadonlyMap<string, string> = new Map([['UserPromptSubmit', 'beforeSubmitPrompt']])

export const cursorEventName = (name: string): string =>
  CLAUDE_EVENT_NAMES.get(name) ?? (eventNames.has(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

export const eventKindOf = (name: string): EventKind => eventNames.get(cursorEventName(name)) ?? 'other'
