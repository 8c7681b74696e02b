import {
  type CommandText,
  grouped,
  markdownAgent,
  type Reader,
  type Registering,
  seconds,
  skillsBelow,
} from '../registering.ts'
import { ID } from './events.ts'

export const EVENTS = [
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
const READS: Reader = {
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

export const registers: Registering = {
  id: ID,
  programs: ['claude'],
  folders: ['~/.claude'],
  files: {
    user: '~/.claude/settings.json',
    project: '.claude/settings.json',
    managed: '/etc/claude-code/managed-settings.json',
  },
  hook: {
    kind: 'settings',
    reads: READS,
    entries: grouped(EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${ID}`,
      timeout: seconds(timeoutMs),
      // since 2.1.295; before that it is ignored
      ...(event === 'PreToolUse' && { onFailure: 'block' }),
    })),
  },
  agents: {
    files: { user: name => `~/.claude/agents/${name}.md`, project: name => `.claude/agents/${name}.md` },
    text: markdownAgent('', 'tools: Read, Glob, Grep\n'),
    // in the program of 2.1.197 and 2.1.325; some of them are there in some of its modes only
    builtIn: [
      ...['general-purpose', 'explore', 'plan', 'statusline-setup', 'claude-code-guide'],
      ...['claude', 'fork', 'worker', 'workflow-subagent'],
    ],
  },
  commands: {
    files: { user: name => `~/.claude/commands/${name}.md`, project: name => `.claude/commands/${name}.md` },
    text: slashCommand,
  },
  skills: skillsBelow('.claude'),
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
function slashCommand({ about, instructions }: CommandText, mark: string): string {
  const head = [
    `description: ${JSON.stringify(about)}`,
    'argument-hint: "<task>"',
    'allowed-tools: Bash(signalbox orchestrate:*)',
    'disable-model-invocation: true',
  ]
  return `---\n${mark}${head.join('\n')}\n---\n\n${instructions.replaceAll('{words}', '$ARGUMENTS')}`
}
