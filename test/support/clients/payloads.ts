import type { EventKind } from '../../../src/engine/index.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { fromPlugin } from '../../clients/opencode-plugin.ts'
import { capture } from './captures.ts'

const claude = (name: string): JsonObject => capture(`claude-code-2.1.325/${name}`)
const codex = (name: string): JsonObject => capture(`codex-cli-0.166.0/${name}`)
const copilot = (name: string): JsonObject => capture(`copilot-cli-1.0.102/${name}`)
const cursor = (name: string): JsonObject => capture(`cursor-documented/${name}`)
const gemini = (name: string): JsonObject => capture(`gemini-cli-0.61.0/${name}`)
const qwen = (name: string): JsonObject => capture(`qwen-code-0.24.4/${name}`)
const without = ({ ...payload }: JsonObject, key: string): JsonObject => {
  delete payload[key]
  return payload
}
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, context: { agent_name: 'developer' } }

/** One payload for each kind of event a client tells of: recorded, or (where none was) as its documentation has it. */
export const FIXTURES: Readonly<Record<string, Readonly<Partial<Record<EventKind, JsonObject>>>>> = {
  'claude-code': {
    'session.start': claude('SessionStart'),
    'session.end': claude('SessionEnd'),
    'prompt.submit': claude('UserPromptSubmit'),
    'tool.before': claude('PreToolUse.Bash'),
    'tool.after': claude('PostToolUse.Bash'),
    'tool.failed': claude('PostToolUseFailure.Bash'),
    'permission.request': claude('PermissionRequest'),
    'agent.start': claude('SubagentStart'),
    'agent.stop': claude('SubagentStop'),
    'turn.stop': claude('Stop'),
    'compact.before': claude('PreCompact'),
    notification: claude('interactive.Notification.permission_prompt'),
    other: claude('PostToolBatch'),
  },
  'codex-cli': {
    'session.start': codex('SessionStart'),
    'session.end': codex('SessionEnd'),
    'prompt.submit': codex('UserPromptSubmit'),
    'tool.before': codex('PreToolUse'),
    'tool.after': codex('PostToolUse'),
    // documented: a run without approvals has none
    'permission.request': { ...without(codex('PreToolUse'), 'tool_use_id'), hook_event_name: 'PermissionRequest' },
    'agent.start': codex('SubagentStart'),
    'agent.stop': codex('SubagentStop'),
    'turn.stop': codex('Stop'),
    // documented
    'compact.before': { ...without(codex('Stop'), 'stop_hook_active'), hook_event_name: 'PreCompact', trigger: 'auto' },
    other: { ...without(codex('Stop'), 'stop_hook_active'), hook_event_name: 'PostCompact', trigger: 'auto' },
  },
  'copilot-cli': {
    'session.start': copilot('sessionStart'),
    'session.end': copilot('sessionEnd'),
    'prompt.submit': copilot('userPromptSubmitted'),
    'tool.before': copilot('preToolUse'),
    'tool.after': copilot('postToolUse'),
    'tool.failed': copilot('postToolUseFailure'),
    'permission.request': copilot('permissionRequest'),
    'agent.start': copilot('subagentStart'),
    'agent.stop': copilot('subagentStop'),
    'turn.stop': without(copilot('agentStop'), 'agentId'),
    // documented
    'compact.before': { ...copilot('sessionEnd'), trigger: 'auto', customInstructions: '' },
    notification: { ...copilot('sessionEnd'), hook_event_name: 'Notification', message: 'm', notification_type: 'x' },
    // an agent's own, before its `subagentStop`
    other: copilot('agentStop'),
  },
  // documented, all of them
  cursor: {
    'session.start': cursor('sessionStart'),
    'session.end': cursor('sessionEnd'),
    'prompt.submit': cursor('beforeSubmitPrompt'),
    'tool.before': cursor('preToolUse'),
    'tool.after': cursor('postToolUse'),
    'tool.failed': cursor('postToolUseFailure'),
    'agent.start': cursor('subagentStart'),
    'agent.stop': cursor('subagentStop'),
    'turn.stop': cursor('stop'),
    'compact.before': cursor('preCompact'),
    other: cursor('afterAgentThought'),
  },
  'gemini-cli': {
    'session.start': gemini('SessionStart'),
    'session.end': gemini('SessionEnd'),
    'prompt.submit': gemini('BeforeAgent'),
    'tool.before': gemini('BeforeTool'),
    'tool.after': gemini('AfterTool'),
    // of the recorded session
    'tool.failed': {
      ...gemini('AfterTool.run_shell_command'),
      tool_response: { llmContent: 'Output: no\nExit Code: 128\nProcess Group PGID: 31627', returnDisplay: 'no' },
    },
    'agent.stop': gemini('BeforeTool.complete_task'),
    'turn.stop': gemini('AfterAgent'),
    'compact.before': gemini('PreCompress'),
    // documented: a headless run has none
    notification: {
      ...gemini('PreCompress'),
      hook_event_name: 'Notification',
      notification_type: 'ToolPermission',
      message: 'Tool run_shell_command requires execution',
      details: { type: 'exec', command: 'ls' },
    },
    other: gemini('BeforeModel'),
  },
  generic: {
    'session.start': { event: 'session.start' },
    'session.end': { event: 'session.end' },
    'prompt.submit': { event: 'prompt.submit', prompt: 'go' },
    'tool.before': CALL,
    'tool.after': { ...CALL, tool_result: 'ok' },
    'tool.failed': { ...CALL, event: 'tool.failed', tool_result: 'no' },
    'permission.request': { ...CALL, event: 'permission.request' },
    'agent.start': { event: 'agent.start', context: { agent_name: 'router' } },
    'agent.stop': { tool_result: '{}', context: { agent_name: 'router' } },
    'turn.stop': { event: 'turn.stop' },
    'compact.before': { event: 'compact.before' },
    notification: { event: 'notification' },
    other: { event: 'model.swapped' },
  },
  opencode: {
    'session.start': fromPlugin('event.session.created'),
    // documented: none was recorded
    'session.end': { ...fromPlugin('event.session.created'), hook_event_name: 'session.deleted' },
    'prompt.submit': fromPlugin('chat.message'),
    'tool.before': fromPlugin('tool.execute.before'),
    'tool.after': fromPlugin('tool.execute.after'),
    'tool.failed': fromPlugin('event.message.part.updated.tool-error'),
    'agent.start': fromPlugin('event.session.created.subagent'),
    'agent.stop': fromPlugin('tool.execute.after.task'),
    'turn.stop': fromPlugin('event.session.idle'),
    // documented
    'compact.before': { ...fromPlugin('shell.env'), hook_event_name: 'experimental.session.compacting' },
    other: fromPlugin('chat.params'),
  },
  'qwen-code': {
    'session.start': qwen('SessionStart'),
    // documented: none was seen
    'session.end': { ...qwen('SessionStart'), hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' },
    'prompt.submit': qwen('UserPromptSubmit'),
    'tool.before': qwen('PreToolUse'),
    'tool.after': qwen('PostToolUse'),
    'tool.failed': qwen('PostToolUseFailure'),
    // documented: a headless run has none
    'permission.request': {
      ...qwen('PreToolUse'),
      hook_event_name: 'PermissionRequest',
      permission_mode: 'default',
      tool_use_id: null,
    },
    'agent.start': qwen('SubagentStart'),
    'agent.stop': qwen('SubagentStop'),
    'turn.stop': qwen('Stop'),
    // documented
    'compact.before': { ...qwen('SessionStart'), hook_event_name: 'PreCompact', trigger: 'auto' },
    notification: qwen('Notification'),
    other: qwen('PostToolBatch'),
  },
}
