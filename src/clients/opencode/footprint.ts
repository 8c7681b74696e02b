import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
  title: 'opencode',
  registrations: [
    'opencode.json',
    'opencode.jsonc',
    '.opencode/opencode.json',
    '.opencode/plugin/',
    '.opencode/plugins/',
    '~/.config/opencode/opencode.json',
    '~/.config/opencode/opencode.jsonc',
    '~/.config/opencode/plugin/',
    '~/.config/opencode/plugins/',
    '/etc/opencode/',
  ],
  processes: ['opencode', 'opencode-ai'],
  moves: { env: 'XDG_CONFIG_HOME', from: '~/.config' },
}
