import type { Traces } from '../client.ts'

export const traces: Traces = {
  title: 'Claude Code',
  registrations: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '~/.claude/settings.json',
    '~/.claude/settings.local.json',
    '~/.claude/remote-settings.json',
    '~/.claude/plugins/',
    '/etc/claude-code/',
    '/Library/Application Support/ClaudeCode/',
  ],
  processes: ['claude', '@anthropic-ai/claude-code'],
  marks: ['CLAUDECODE'],
  moves: { env: 'CLAUDE_CONFIG_DIR', from: '~/.claude' },
}
