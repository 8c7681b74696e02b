import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
  title: 'Codex CLI',
  registrations: [
    '.codex/config.toml',
    '.codex/hooks.json',
    '~/.codex/config.toml',
    '~/.codex/hooks.json',
    '/etc/codex/',
  ],
  processes: ['codex', '@openai/codex'],
  moves: { env: 'CODEX_HOME', from: '~/.codex' },
  // Codex also runs hooks of plugins that were made for other agents
  payloadMarks: [{ texts: ['turn_id', 'model'] }, { transcript: /\/rollout-[^/]+\.jsonl$/ }],
}
