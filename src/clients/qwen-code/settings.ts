import { type ClientSettings, createMarkdownAgent, hookEntriesInGroups } from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'

export const REGISTERED_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
]

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['qwen'],
  folders: ['~/.qwen'],
  files: { user: '~/.qwen/settings.json', project: '.qwen/settings.json', managed: '/etc/qwen-code/settings.json' },
  hook: {
    kind: 'settings',
    // with a trailing comma it does not start (0.24.4)
    reads: { comments: true, byteOrderMark: true },
    // `timeout` is in milliseconds
    entries: hookEntriesInGroups(REGISTERED_EVENTS, ({ line, timeoutMs }) => ({
      name: 'signalbox',
      command: `${line} --client ${CLIENT_ID}`,
      timeout: timeoutMs,
    })),
  },
  agents: {
    files: { user: name => `~/.qwen/agents/${name}.md`, project: name => `.qwen/agents/${name}.md` },
    text: createMarkdownAgent(),
    // built into 0.24.4; `fork` is a copy of the parent agent
    builtIn: ['general-purpose', 'explore', 'statusline-setup', 'review-agent', 'fork'],
  },
  // it reads QWEN.md and AGENTS.md
  memory: { user: '~/.qwen/AGENTS.md', project: 'AGENTS.md' },
  canary: ({ command, id, cwd, now }) => ({
    event: 'PreToolUse',
    payload: {
      session_id: id,
      transcript_path: '',
      cwd,
      hook_event_name: 'PreToolUse',
      timestamp: now,
      permission_mode: 'default',
      tool_name: 'run_shell_command',
      tool_input: { command, is_background: false },
      tool_use_id: id,
    },
  }),
}
