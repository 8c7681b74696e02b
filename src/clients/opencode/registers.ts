import { markdownAgent, type Registering } from '../registering.ts'
import { ID } from './events.ts'
import { pluginText } from './plugin.ts'

export const registers: Registering = {
  id: ID,
  programs: ['opencode'],
  folders: ['~/.config/opencode', '~/.opencode'],
  files: { user: '~/.config/opencode/plugins/signalbox.js', project: '.opencode/plugins/signalbox.js' },
  unmanaged: 'nobody has seen it load a plugin for the whole machine',
  hook: {
    kind: 'file',
    text: ({ words, timeoutMs }) => pluginText({ command: words, onError: 'closed', timeoutMs }),
  },
  agents: {
    files: {
      user: name => `~/.config/opencode/agents/${name}.md`,
      project: name => `.opencode/agents/${name}.md`,
    },
    text: markdownAgent('mode: subagent\n'),
    // in the program of 1.18.33, where `task` starts any agent by its name
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
