import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
  title: 'Gemini CLI',
  registrations: [
    '.gemini/settings.json',
    '.gemini/extensions/',
    '~/.gemini/settings.json',
    '~/.gemini/extensions/',
    // in an untrusted folder it runs no hooks, not even the user's own (0.61.0)
    '~/.gemini/trustedFolders.json',
    '/etc/gemini-cli/',
    '/Library/Application Support/GeminiCli/',
  ],
  processes: ['gemini', '@google/gemini-cli'],
  marks: ['GEMINI_CLI'],
  moves: { env: 'GEMINI_CLI_HOME', from: '~' },
}
