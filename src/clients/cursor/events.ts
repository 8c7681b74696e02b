import type { EventKind } from '../../pattern/index.ts'

export const ID = 'cursor'

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
const IMPORTED: ReadonlyMap<string, string> = new Map([['UserPromptSubmit', 'beforeSubmitPrompt']])

export const ownName = (name: string): string =>
  IMPORTED.get(name) ?? (eventNames.has(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

export const kindOf = (name: string): EventKind => eventNames.get(ownName(name)) ?? 'other'
