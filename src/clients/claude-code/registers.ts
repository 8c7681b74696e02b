import { grouped, markdownAgent, type Registering, seconds } from '../registering.ts'
import { ID } from './events.ts'

export const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'SessionEnd',
]

export const registers: Registering = {
  id: ID,
  programs: ['claude'],
  folders: ['~/.claude'],
  files: {
    user: '~/.claude/settings.json',
    project: '.claude/settings.json',
    managed: '/etc/claude-code/managed-settings.json',
  },
  hook: {
    kind: 'settings',
    entries: grouped(EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${ID}`,
      timeout: seconds(timeoutMs),
      // since 2.1.295; before that it is ignored
      ...(event === 'PreToolUse' && { onFailure: 'block' }),
    })),
  },
  agents: {
    files: { user: name => `~/.claude/agents/${name}.md`, project: name => `.claude/agents/${name}.md` },
    text: markdownAgent('tools: Read, Glob, Grep\n'),
  },
  memory: { user: '~/.claude/CLAUDE.md', project: 'CLAUDE.md' },
  canary: ({ command, id, cwd }) => ({
    event: 'PreToolUse',
    payload: {
      session_id: id,
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: id,
    },
  }),
}
