import { type AgentDefinition, type ClientSettings, hookEntriesInGroups, toSeconds } from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'

export const REGISTERED_EVENTS = [
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

/** Codex waits at most this long for hooks at session end (0.166.0). */
export const SESSION_END_SECONDS = 3

const renderAgent = ({ name, description, instructions }: AgentDefinition): string =>
  `name = ${JSON.stringify(name)}\ndescription = ${JSON.stringify(description)}\ndeveloper_instructions = '''\n${instructions}'''\n`

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['codex'],
  folders: ['~/.codex'],
  files: { user: '~/.codex/hooks.json', project: '.codex/hooks.json' },
  noManagedFileReason:
    'its managed hooks are in /etc/codex/requirements.toml, which `init` does not edit: add them by hand',
  hook: {
    kind: 'settings',
    // plain JSON only (0.166.0)
    reads: {},
    entries: hookEntriesInGroups(REGISTERED_EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${CLIENT_ID}`,
      timeout: event === 'SessionEnd' ? SESSION_END_SECONDS : toSeconds(timeoutMs),
    })),
  },
  agents: {
    files: { user: name => `~/.codex/agents/${name}.toml`, project: name => `.codex/agents/${name}.toml` },
    text: renderAgent,
    // built into 0.166.0
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
