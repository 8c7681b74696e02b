import type { Ran } from '../sandbox.ts'

/** How each client speaks, as far as the fault table needs it. A client that is not here fails the table. */
export interface Dialect {
  readonly call: (command: string) => { readonly [key: string]: unknown }
  readonly tool: (name: string) => { readonly [key: string]: unknown }
  readonly prompt: { readonly [key: string]: unknown }
  readonly stop: { readonly [key: string]: unknown }
  readonly other: { readonly [key: string]: unknown }
  /** the event name to give with `--event` when the payload says none */
  readonly before: string
  /** where it tells its session, if not in `session_id` */
  readonly session?: string
  /** does the reply refuse the call? */
  readonly refuses: (reply: Ran) => boolean
}

const base = { session_id: 's', cwd: '/home/dev/proj' }
const at = { timestamp: '2026-11-15T08:00:00.000Z' }
const editor = { conversation_id: 's', generation_id: 'g', cursor_version: '2.6.0', cwd: '/home/dev/proj' }
const plugin = { ...base, ...at, caller: 'main' }
const turn = { ...base, turn_id: 't', model: 'm', permission_mode: 'default' }
const camel = { sessionId: 's', timestamp: 1794729600000, cwd: '/home/dev/proj' }
const jsonOf = ({ stdout }: Ran) => (stdout.trim() === '' ? {} : JSON.parse(stdout))

export const DIALECTS: Readonly<Record<string, Dialect>> = {
  'claude-code': {
    call: command => ({ ...base, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }),
    tool: name => ({ ...base, hook_event_name: 'PreToolUse', tool_name: name, tool_input: { x: 1 } }),
    prompt: { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'hi' },
    stop: { ...base, hook_event_name: 'Stop', stop_hook_active: false },
    other: { ...base, hook_event_name: 'BrandNewEvent' },
    before: 'PreToolUse',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).hookSpecificOutput?.permissionDecision === 'deny',
  },
  'codex-cli': {
    call: command => ({ ...turn, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }),
    tool: name => ({ ...turn, hook_event_name: 'PreToolUse', tool_name: name, tool_input: { x: 1 } }),
    prompt: { ...turn, hook_event_name: 'UserPromptSubmit', prompt: 'hi' },
    stop: { ...turn, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: null },
    other: { ...turn, hook_event_name: 'BrandNewEvent' },
    before: 'PreToolUse',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).hookSpecificOutput?.permissionDecision === 'deny',
  },
  'copilot-cli': {
    call: command => ({ ...camel, toolName: 'bash', toolArgs: { command } }),
    tool: name => ({ ...camel, toolName: name, toolArgs: { x: 1 } }),
    prompt: { ...camel, prompt: 'hi' },
    stop: { ...camel, stopReason: 'end_turn', stop_hook_active: false },
    other: { ...base, ...at, hook_event_name: 'BrandNewEvent' },
    before: 'preToolUse',
    session: 'sessionId',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).permissionDecision === 'deny',
  },
  cursor: {
    call: command => ({
      ...editor,
      hook_event_name: 'preToolUse',
      tool_name: 'Shell',
      tool_input: { command },
    }),
    tool: name => ({ ...editor, hook_event_name: 'preToolUse', tool_name: name, tool_input: { x: 1 } }),
    prompt: { ...editor, hook_event_name: 'beforeSubmitPrompt', prompt: 'hi' },
    stop: { ...editor, hook_event_name: 'stop', status: 'completed', loop_count: 0 },
    other: { ...editor, hook_event_name: 'brandNewEvent' },
    before: 'preToolUse',
    session: 'conversation_id',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).permission === 'deny' || jsonOf(reply).continue === false,
  },
  'gemini-cli': {
    call: command => ({
      ...base,
      ...at,
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
    }),
    tool: name => ({ ...base, ...at, hook_event_name: 'BeforeTool', tool_name: name, tool_input: { x: 1 } }),
    prompt: { ...base, ...at, hook_event_name: 'BeforeAgent', prompt: 'hi' },
    stop: {
      ...base,
      ...at,
      hook_event_name: 'AfterAgent',
      prompt: 'hi',
      prompt_response: 'ho',
      stop_hook_active: false,
    },
    other: { ...base, ...at, hook_event_name: 'BrandNewEvent' },
    before: 'BeforeTool',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).decision === 'deny',
  },
  generic: {
    call: command => ({ ...base, tool_name: 'Bash', tool_input: { command } }),
    tool: name => ({ ...base, tool_name: name, tool_input: { x: 1 } }),
    prompt: { ...base, event: 'prompt.submit', prompt: 'hi' },
    stop: { ...base, event: 'turn.stop' },
    other: { ...base, event: 'brand.new' },
    before: 'tool.before',
    refuses: reply => jsonOf(reply).decision === 'block' || reply.exitCode === 2,
  },
  opencode: {
    call: command => ({
      hook_event_name: 'tool.execute.before',
      ...plugin,
      input: { tool: 'bash', sessionID: 's', callID: 'c' },
      output: { args: { command } },
    }),
    tool: name => ({
      hook_event_name: 'tool.execute.before',
      ...plugin,
      input: { tool: name, sessionID: 's', callID: 'c' },
      output: { args: { x: 1 } },
    }),
    prompt: {
      hook_event_name: 'chat.message',
      ...plugin,
      source: 'user',
      output: { parts: [{ type: 'text', text: 'hi' }] },
    },
    stop: { hook_event_name: 'session.idle', ...plugin, stop_hook_active: false },
    other: { hook_event_name: 'brand.new', ...plugin },
    before: 'tool.execute.before',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).decision === 'deny',
  },
  'qwen-code': {
    call: command => ({
      ...base,
      ...at,
      hook_event_name: 'PreToolUse',
      tool_name: 'run_shell_command',
      tool_input: { command, is_background: false },
    }),
    tool: name => ({ ...base, ...at, hook_event_name: 'PreToolUse', tool_name: name, tool_input: { x: 1 } }),
    prompt: { ...base, ...at, hook_event_name: 'UserPromptSubmit', prompt: 'hi', submitted_prompt: 'hi' },
    stop: { ...base, ...at, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'ho' },
    other: { ...base, ...at, hook_event_name: 'BrandNewEvent' },
    before: 'PreToolUse',
    refuses: reply => reply.exitCode === 2 || jsonOf(reply).hookSpecificOutput?.permissionDecision === 'deny',
  },
}
