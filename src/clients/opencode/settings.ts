import { type ClientSettings, createMarkdownAgent } from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'
import { renderPlugin } from './plugin.ts'

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['opencode'],
  folders: ['~/.config/opencode', '~/.opencode'],
  files: { user: '~/.config/opencode/plugins/signalbox.js', project: '.opencode/plugins/signalbox.js' },
  noManagedFileReason: 'it is unknown whether it loads plugins for the whole machine',
  hook: {
    kind: 'file',
    text: ({ words, timeoutMs }) => renderPlugin({ command: words, onError: 'closed', timeoutMs }),
  },
  agents: {
    files: {
      user: name => `~/.config/opencode/agents/${name}.md`,
      project: name => `.opencode/agents/${name}.md`,
    },
    text: createMarkdownAgent('mode: subagent\n'),
    // built into 1.18.33, where `task` starts any agent by its name
    builtIn: ['build', 'plan', 'general', 'explore', 'compaction', 'title', 'summary'],
  },
  memory: { user: '~/.config/opencode/AGENTS.md', project: 'AGENTS.md' },
  canary: ({ command, id, cwd, now }) => ({
    event: 'tool.execute.before',
    payload: {
      hook_event_name: 'tool.execute.before',
      session_id: id,
      caller: 'main',
      cwd,
      timestamp: now,
      input: { tool: 'bash', sessionID: id, callID: id },
      output: { args: { command, description: 'canary' } },
    },
  }),
}
