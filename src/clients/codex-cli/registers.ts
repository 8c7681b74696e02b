import { type AgentText, grouped, type Registering, seconds } from '../registering.ts'
import { ID } from './events.ts'

export const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'SessionEnd',
]

/** A session's end waits for no longer (0.166.0). */
export const END_S = 3

const role = ({ name, description, instructions }: AgentText): string =>
  `name = ${JSON.stringify(name)}\ndescription = ${JSON.stringify(description)}\ndeveloper_instructions = '''\n${instructions}'''\n`

export const registers: Registering = {
  id: ID,
  programs: ['codex'],
  folders: ['~/.codex'],
  files: { user: '~/.codex/hooks.json', project: '.codex/hooks.json' },
  unmanaged:
    'its managed hooks are TOML in /etc/codex/requirements.toml, with a folder of their own: write them by hand',
  hook: {
    kind: 'settings',
    // its JSON is plain (0.166.0)
    reads: {},
    entries: grouped(EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${ID}`,
      timeout: event === 'SessionEnd' ? END_S : seconds(timeoutMs),
    })),
  },
  agents: {
    files: { user: name => `~/.codex/agents/${name}.toml`, project: name => `.codex/agents/${name}.toml` },
    text: role,
    // in the program of 0.166.0
    builtIn: ['default', 'worker', 'explorer', 'awaiter'],
  },
  memory: { user: '~/.codex/AGENTS.md', project: 'AGENTS.md' },
  canary: ({ command, id, cwd }) => ({
    event: 'PreToolUse',
    payload: {
      session_id: id,
      turn_id: id,
      transcript_path: null,
      cwd,
      hook_event_name: 'PreToolUse',
      model: 'canary',
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: id,
    },
  }),
}
