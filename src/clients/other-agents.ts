import type { ClientFootprint } from './client.ts'

/**
 * Agents without a client folder that we still recognise: where they register hooks, and what their processes are called.
 * When an agent gets a client folder, its row moves there.
 */
export const unsupportedAgents: readonly ClientFootprint[] = [
  {
    title: 'Antigravity CLI',
    registrations: ['.agents/hooks.json', '~/.gemini/config/hooks.json'],
    processes: ['agy'],
  },
  {
    title: 'Windsurf',
    registrations: ['.windsurf/hooks.json', '~/.codeium/windsurf/hooks.json', '/etc/windsurf/'],
    processes: [],
  },
]
