import type { ClientFootprint } from './client.ts'

/**
 * Agents that are not served yet, but whose traces count: where they register hooks, and how their processes are called.
 * A client that gets a folder takes its row along.
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
