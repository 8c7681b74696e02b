import {
  type ClientDiagnostics,
  type DisablingSetting,
  filesWithSetting,
  folderTrustForSandbox,
  isFolderTrusted,
  isServerNameOnly,
  serverWildcardOf,
} from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'

const TRUSTED_FOLDERS_FILE = '~/.qwen/trustedFolders.json'

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '/etc/qwen-code/settings.json', scope: 'managed' },
    { path: '/Library/Application Support/QwenCode/settings.json', scope: 'managed' },
    { path: '~/.qwen/settings.json', scope: 'user' },
    { path: '.qwen/settings.json', scope: 'project' },
  ],
  relatedFiles: [{ path: TRUSTED_FOLDERS_FILE, scope: 'user' }],
  shape: 'groups',
  // as of 0.24.4
  events: {
    PreToolUse: 'tool',
    PostToolUse: 'tool',
    PostToolUseFailure: 'tool',
    PostToolBatch: 'none',
    Notification: 'other',
    UserPromptSubmit: 'none',
    UserPromptExpansion: 'other',
    SessionStart: 'other',
    Stop: 'none',
    MessageDisplay: 'none',
    SubagentStart: 'other',
    SubagentStop: 'other',
    PreCompact: 'other',
    PostCompact: 'other',
    SessionEnd: 'other',
    SessionDelete: 'other',
    PermissionRequest: 'tool',
    PermissionDenied: 'tool',
    StopFailure: 'other',
    TodoCreated: 'none',
    TodoCompleted: 'none',
    InstructionsLoaded: 'other',
  },
  gates: ['PreToolUse'],
  types: ['command', 'http', 'prompt'],
  commands: ['command'],
  timeout: { keys: ['timeout'], unit: 'ms' },
  broken: 'ignores that entry',
  switches({ files, root }) {
    const off: DisablingSetting[] = filesWithSetting(files, ['disableAllHooks'], true).map(({ file }) => ({
      id: 'HOOKS-DISABLED',
      file,
      key: ['disableAllHooks'],
      found: '`disableAllHooks` is true',
      silences: ['user', 'project', 'managed'],
      fix: 'remove `disableAllHooks` from that file',
    }))
    const enabledIn = filesWithSetting(files, ['security', 'folderTrust', 'enabled'], true)[0]
    const rules = files.find(({ path }) => path === TRUSTED_FOLDERS_FILE)
    const decided = isFolderTrusted(rules?.settings, root)
    if (!enabledIn || decided) return off
    return [
      ...off,
      {
        id: 'FOLDER-UNTRUSTED',
        file: enabledIn.file,
        key: ['security', 'folderTrust', 'enabled'],
        found: 'folder trust is on, and this folder is not trusted: hooks of the project are skipped',
        silences: ['project'],
        fix: 'trust the folder in Qwen Code: /trust',
        ...(decided === undefined && { waits: true as const }),
      },
    ]
  },
  callersSince: '0.24.0',
  mcp: name => (isServerNameOnly(name) ? `${name}__.*` : undefined),
  policyMcp: serverWildcardOf,
  starts: { shell: 'bash', projectEnv: ['QWEN_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'] },
  headlessRun: {
    preservedPaths: [['hooks'], ['disableAllHooks'], ['security', 'folderTrust']],
    launch: ({ model, prompt }) => ({
      args: ['-p', prompt, '--auth-type', 'openai', '-m', 'scripted', '--approval-mode', 'yolo'],
      env: { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'no-key', OPENAI_MODEL: 'scripted' },
      files: {
        '.qwen/settings.json': {
          security: { auth: { selectedType: 'openai' } },
          telemetry: { enabled: false },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
        },
      },
    }),
    carried: (context, stage) => folderTrustForSandbox(TRUSTED_FOLDERS_FILE, context, stage, { undecided: false }),
    call: command => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
  },
}
