import {
  type ClientSettings,
  type CommandDefinition,
  createMarkdownAgent,
  groupedEntries,
  type SettingsSyntax,
  skillFilesIn,
  toSeconds,
} from '../adapter/settings.ts'
import { CLIENT_ID } from './events.ts'

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

/** As of 2.1.325: these keys, of another kind, cost the whole file. Of a list or a table that is one, only what is wrong in it. */
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
    entries: groupedEntries(REGISTERED_EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${CLIENT_ID}`,
      timeout: toSeconds(timeoutMs),
      // since 2.1.295; before that it is ignored
      ...(event === 'PreToolUse' && { onFailure: 'block' }),
    })),
  },
  agents: {
    files: { user: name => `~/.claude/agents/${name}.md`, project: name => `.claude/agents/${name}.md` },
    text: createMarkdownAgent('', 'tools: Read, Glob, Grep\n'),
    // in the program of 2.1.197 and 2.1.325; some of them are there in some of its modes only
    builtIn: [
      ...['general-purpose', 'explore', 'plan', 'statusline-setup', 'claude-code-guide'],
      ...['claude', 'fork', 'worker', 'workflow-subagent'],
    ],
  },
  commands: {
    files: { user: name => `~/.claude/commands/${name}.md`, project: name => `.claude/commands/${name}.md` },
    text: renderSlashCommand,
  },
  skills: skillFilesIn('.claude'),
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

/** The person typed it, so that line needs no further yes; and nobody else can. */
function renderSlashCommand({ about, instructions }: CommandDefinition, mark: string): string {
  const head = [
    `description: ${JSON.stringify(about)}`,
    'argument-hint: "<task>"',
    'allowed-tools: Bash(signalbox orchestrate:*)',
    'disable-model-invocation: true',
  ]
  return `---\n${mark}${head.join('\n')}\n---\n\n${instructions.replaceAll('{words}', '$ARGUMENTS')}`
}
