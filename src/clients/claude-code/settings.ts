import {
  type ClientSettings,
  type CommandDefinition,
  createMarkdownAgent,
  hookEntriesInGroups,
  type SettingsSyntax,
  skillFileFormat,
  toSeconds,
} from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'

export const REGISTERED_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'SessionEnd',
]

/** As of 2.1.325: one of these keys with a wrong type voids the whole file. A wrong item in a list or table voids only itself. */
const SETTINGS_SYNTAX: SettingsSyntax = {
  byteOrderMark: true,
  wants: {
    permissions: 'table',
    'permissions.allow': 'list',
    'permissions.ask': 'list',
    'permissions.deny': 'list',
    'permissions.additionalDirectories': 'list',
    'permissions.defaultMode': ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan'],
    env: 'table',
    model: 'text',
    apiKeyHelper: 'text',
    statusLine: 'table',
    'statusLine.type': ['command'],
    'statusLine.command': 'text',
    disableAllHooks: 'switch',
    language: 'text',
    enabledPlugins: 'table',
    cleanupPeriodDays: 'number',
    includeCoAuthoredBy: 'switch',
  },
}

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['claude'],
  folders: ['~/.claude'],
  files: {
    user: '~/.claude/settings.json',
    project: '.claude/settings.json',
    managed: '/etc/claude-code/managed-settings.json',
  },
  hook: {
    kind: 'settings',
    reads: SETTINGS_SYNTAX,
    entries: hookEntriesInGroups(REGISTERED_EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${CLIENT_ID}`,
      timeout: toSeconds(timeoutMs),
      // since 2.1.295; earlier versions ignore it
      ...(event === 'PreToolUse' && { onFailure: 'block' }),
    })),
  },
  agents: {
    files: { user: name => `~/.claude/agents/${name}.md`, project: name => `.claude/agents/${name}.md` },
    text: createMarkdownAgent('', 'tools: Read, Glob, Grep\n'),
    // built into 2.1.197 and 2.1.325; some exist only in some modes
    builtIn: [
      ...['general-purpose', 'explore', 'plan', 'statusline-setup', 'claude-code-guide'],
      ...['claude', 'fork', 'worker', 'workflow-subagent'],
    ],
  },
  commands: {
    files: { user: name => `~/.claude/commands/${name}.md`, project: name => `.claude/commands/${name}.md` },
    text: renderSlashCommand,
  },
  skills: skillFileFormat('.claude'),
  memory: { user: '~/.claude/CLAUDE.md', project: 'CLAUDE.md' },
  canary: ({ command, id, cwd }) => ({
    event: 'PreToolUse',
    payload: {
      session_id: id,
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: id,
    },
  }),
}

/** The user typed the command, so its shell line is pre-approved; the model cannot invoke it. */
function renderSlashCommand({ about, instructions }: CommandDefinition, mark: string): string {
  const head = [
    `description: ${JSON.stringify(about)}`,
    'argument-hint: "<task>"',
    'allowed-tools: Bash(signalbox orchestrate:*)',
    'disable-model-invocation: true',
  ]
  return `---\n${mark}${head.join('\n')}\n---\n\n${instructions.replaceAll('{words}', '$ARGUMENTS')}`
}
