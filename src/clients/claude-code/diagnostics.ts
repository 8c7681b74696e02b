import {
  type ClientDiagnostics,
  type DiagnosticContext,
  type DisablingSetting,
  effectiveSwitch,
  filesWithSetting,
  isServerNameOnly,
  keysAtPath,
  serverWildcardOf,
  valueAtPath,
} from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'

const USER_SETTINGS = '~/.claude/settings.json'

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '/etc/claude-code/managed-settings.json', scope: 'managed' },
    { path: '/etc/claude-code/managed-settings.d/', scope: 'managed' },
    { path: '/Library/Application Support/ClaudeCode/managed-settings.json', scope: 'managed' },
    { path: USER_SETTINGS, scope: 'user' },
    { path: '.claude/settings.json', scope: 'project' },
    { path: '.claude/settings.local.json', scope: 'project' },
    {
      path: '~/.claude/plugins/cache/*/signalbox/*/hooks/hooks.json',
      scope: 'user',
      plugin: {
        env: 'CLAUDE_PLUGIN_ROOT',
        renew: 'claude plugin install signalbox',
        remove: 'claude plugin uninstall signalbox',
        state: switchOf,
      },
    },
  ],
  plugins: {
    folder: '~/.claude/plugins/cache/*/*/*',
    versions: true,
    hooks: 'hooks/hooks.json',
    servers: ['.mcp.json', '.claude-plugin/plugin.json'],
    isOn: (folder, context) => switchOf(folder, context) === 'on',
  },
  servers: {
    unlisted: /^(ide$|claude_ai)/,
    files: ['.mcp.json', '~/.claude.json', '~/.claude/.claude.json', '/etc/claude-code/managed-mcp.json'],
    names: ({ settings }, root) => [
      ...keysAtPath(settings, ['mcpServers']),
      ...keysAtPath(settings, ['projects', root, 'mcpServers']),
      // a plugin may list them without a key around them
      ...keysAtPath(settings, []).filter(key =>
        ['command', 'url'].some(text => valueAtPath(settings, [key, text]) !== undefined),
      ),
    ],
  },
  shape: 'groups',
  // as of 2.1.325
  events: {
    SessionStart: 'other',
    Setup: 'other',
    UserPromptSubmit: 'none',
    UserPromptExpansion: 'other',
    PreToolUse: 'tool',
    PermissionRequest: 'tool',
    PermissionDenied: 'tool',
    PostToolUse: 'tool',
    PostToolUseFailure: 'tool',
    PostToolBatch: 'none',
    Notification: 'other',
    MessageDisplay: 'none',
    SubagentStart: 'other',
    SubagentStop: 'other',
    Stop: 'none',
    StopFailure: 'other',
    TaskCreated: 'none',
    TaskCompleted: 'none',
    TeammateIdle: 'none',
    ConfigChange: 'other',
    InstructionsLoaded: 'other',
    CwdChanged: 'none',
    FileChanged: 'other',
    DirectoryAdded: 'other',
    WorktreeCreate: 'none',
    WorktreeRemove: 'none',
    PreCompact: 'other',
    PostCompact: 'other',
    PreModelSwitch: 'other',
    PostModelSwitch: 'other',
    Elicitation: 'other',
    ElicitationResult: 'other',
    SessionEnd: 'other',
  },
  gates: ['PreToolUse'],
  types: ['command', 'http', 'mcp_tool', 'prompt', 'agent'],
  commands: ['command'],
  timeout: { keys: ['timeout'], unit: 's' },
  closes: { by: ['onFailure', 'block'], since: '2.1.295' },
  broken: 'ignores the whole file because of one such entry: no hook in it runs',
  oneErrorVoidsFile: true,
  switches({ files, env }) {
    const managed = files.filter(file => file.scope === 'managed')
    const own = files.filter(file => file.scope !== 'managed')
    const found: DisablingSetting[] = [
      ...filesWithSetting(own, ['disableAllHooks'], true).map(({ file }) => ({
        id: 'HOOKS-DISABLED',
        file,
        key: ['disableAllHooks'],
        found: '`disableAllHooks` is true',
        silences: ['user', 'project'] as const,
        fix: 'remove `disableAllHooks` from that file',
      })),
      ...filesWithSetting(managed, ['disableAllHooks'], true).map(({ file }) => ({
        id: 'HOOKS-DISABLED',
        file,
        key: ['disableAllHooks'],
        found: '`disableAllHooks` is true',
        silences: ['user', 'project', 'managed'] as const,
        fix: 'ask the administrator of this machine to remove it',
      })),
      ...managed
        .filter(({ settings }) => allowsManagedHooksOnly(settings))
        .map(({ file }) => ({
          id: 'HOOKS-MANAGED-ONLY',
          file,
          key: ['allowManagedHooksOnly'],
          found: '`allowManagedHooksOnly` is set: only managed hooks run',
          silences: ['user', 'project'] as const,
          fix: `signalbox init --client ${CLIENT_ID} --scope managed`,
        })),
    ]
    if (!env.CLAUDE_CODE_SIMPLE) return found
    return [
      ...found,
      {
        id: 'HOOKS-DISABLED',
        file: '',
        found: 'CLAUDE_CODE_SIMPLE is set in this environment: no hook runs',
        silences: ['user', 'project', 'managed'],
        fix: 'unset CLAUDE_CODE_SIMPLE',
      },
    ]
  },
  callersSince: '2.1.69',
  mcp: name => {
    if (isServerNameOnly(name)) return `${name}__.*`
    const [, server, tool] = /^mcp_([a-z0-9-]+)_(\w+)$/i.exec(name) ?? []
    return server && !name.startsWith('mcp__') ? `mcp__${server}__${tool}` : undefined
  },
  policyMcp: serverWildcardOf,
  starts: { shell: 'sh', projectEnv: ['CLAUDE_PROJECT_DIR'], env: { CLAUDECODE: '1' } },
  headlessRun: {
    preservedPaths: [['hooks'], ['disableAllHooks']],
    launch: ({ model, prompt }) => ({
      args: ['-p', prompt, '--permission-mode', 'default', '--allowedTools', 'Bash'],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: 'no-key',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    }),
    call: command => ({ tool: 'Bash', input: { command, description: 'a step' } }),
  },
}

/** Settings name a plugin `name@market`. Project settings override the user's, managed settings override both. */
function switchOf(path: string, { files }: DiagnosticContext): 'on' | 'off' | undefined {
  const [, market = '', name = ''] = /\/plugins\/cache\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  const own = files.filter(({ plugin }) => !plugin)
  const managed = own.filter(({ scope }) => scope === 'managed')
  const rest = own.filter(({ scope }) => scope !== 'managed')
  return effectiveSwitch([...rest, ...managed], ['enabledPlugins', `${name}@${market}`])
}

/** A value of a wrong type counts as true. */
function allowsManagedHooksOnly(settings: unknown): boolean {
  if (typeof settings !== 'object' || settings === null || !('allowManagedHooksOnly' in settings)) return false
  return settings.allowManagedHooksOnly !== false
}
