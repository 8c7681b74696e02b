import { grouped, markdownAgent, type Registering } from '../registering.ts'
import { ID } from './events.ts'

/** Not the model events: one of them comes with every piece of an answer. */
export const EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
  'PreCompress',
  'SessionEnd',
]

export const registers: Registering = {
  id: ID,
  programs: ['gemini'],
  folders: ['~/.gemini'],
  files: {
    user: '~/.gemini/settings.json',
    project: '.gemini/settings.json',
    managed: '/etc/gemini-cli/settings.json',
  },
  hook: {
    kind: 'settings',
    // with the others it does not start (0.61.0)
    reads: { comments: true },
    // milliseconds
    entries: grouped(EVENTS, ({ line, timeoutMs }) => ({
      name: 'signalbox',
      command: `${line} --client ${ID}`,
      timeout: timeoutMs,
    })),
  },
  agents: {
    files: { user: name => `~/.gemini/agents/${name}.md`, project: name => `.gemini/agents/${name}.md` },
    text: markdownAgent(),
  },
  memory: { user: '~/.gemini/GEMINI.md', project: 'GEMINI.md' },
  canary: ({ command, id, cwd, now }) => ({
    event: 'BeforeTool',
    payload: {
      session_id: id,
      transcript_path: '',
      cwd,
      hook_event_name: 'BeforeTool',
      timestamp: now,
      tool_name: 'run_shell_command',
      tool_input: { command },
    },
  }),
}
