import type { Traces } from '../client.ts'
import { text } from '../wire.ts'

export const traces: Traces = {
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
  // it takes hooks out of plugins that were made for other agents
  isSender: payload =>
    ['turn_id', 'model'].every(key => text(payload, key) !== undefined) ||
    /\/rollout-[^/]+\.jsonl$/.test(text(payload, 'transcript_path') ?? ''),
}
