import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
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
