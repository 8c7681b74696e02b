import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
  title: 'Qwen Code',
  registrations: [
    '.qwen/settings.json',
    '.qwen/extensions/',
    '~/.qwen/settings.json',
    '~/.qwen/extensions/',
    // in an untrusted folder it runs no hooks of the project
    '~/.qwen/trustedFolders.json',
    '/etc/qwen-code/',
    '/Library/Application Support/QwenCode/',
  ],
  processes: ['qwen', '@qwen-code/qwen-code'],
  marks: ['QWEN_CODE'],
  moves: { env: 'QWEN_HOME', from: '~/.qwen' },
}
