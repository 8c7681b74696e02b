import type { Client } from '../client.ts'
import { object, spentOf } from '../wire.ts'
import { capabilities } from './capabilities.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { ID } from './events.ts'
import { failure } from './failure.ts'
import { hear } from './hear.ts'
import { toolNames } from './tools.ts'

export const claudeCode: Client = {
  id: ID,
  title: 'Claude Code',
  capabilities,
  toolNames,
  refusable: ['PreToolUse', 'PermissionRequest'],
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
  projectEnv: 'CLAUDE_PROJECT_DIR',
  shellProjectEnv: 'CLAUDE_PROJECT_DIR',
  decode,
  encode,
  hear,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
  spent: payload => spentOf(object(payload, 'tool_response')),
  failure,
}
