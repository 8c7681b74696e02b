import {
  type ClientSettings,
  type CommandDefinition,
  createMarkdownAgent,
  hookEntriesInGroups,
  skillFileFormat,
} from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'

/** No model events: one of them is raised for every chunk of an answer. */
export const REGISTERED_EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
  'PreCompress',
  'SessionEnd',
]

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['gemini'],
  folders: ['~/.gemini'],
  files: {
    user: '~/.gemini/settings.json',
    project: '.gemini/settings.json',
    managed: '/etc/gemini-cli/settings.json',
  },
  hook: {
    kind: 'settings',
    // with trailing commas or a byte order mark it does not start (0.61.0)
    reads: { comments: true },
    // `timeout` is in milliseconds
    entries: hookEntriesInGroups(REGISTERED_EVENTS, ({ line, timeoutMs }) => ({
      name: 'signalbox',
      command: `${line} --client ${CLIENT_ID}`,
      timeout: timeoutMs,
    })),
  },
  agents: {
    files: { user: name => `~/.gemini/agents/${name}.md`, project: name => `.gemini/agents/${name}.md` },
    text: createMarkdownAgent(),
    // built into 0.61.0; the last one only if the user enables it
    builtIn: ['codebase_investigator', 'cli_help', 'generalist', 'browser_agent'],
  },
  commands: {
    files: { user: name => `~/.gemini/commands/${name}.toml`, project: name => `.gemini/commands/${name}.toml` },
    text: renderSlashCommand,
  },
  skills: skillFileFormat('.gemini'),
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

/** A JSON string is a valid TOML string, except for U+007F. */
function renderSlashCommand({ about, instructions }: CommandDefinition, mark: string): string {
  const description = JSON.stringify(about).replaceAll('\u007f', '\\u007f')
  const prompt = instructions.replaceAll('\\', '\\\\').replaceAll('{words}', '{{args}}')
  return `${mark}description = ${description}\nprompt = """\n${prompt}"""\n`
}
