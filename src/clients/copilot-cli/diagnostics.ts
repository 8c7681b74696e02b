import {
  type ClientDiagnostics,
  type DisablingSetting,
  filesWithSetting,
  serverWildcardOf,
  valueAtPath,
} from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'

const CONFIG_FILE = '~/.copilot/config.json'

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '/etc/github-copilot/policy.d/', scope: 'managed' },
    { path: '~/.copilot/hooks/', scope: 'user' },
    { path: '~/.copilot/settings.json', scope: 'user' },
    { path: '.github/hooks/', scope: 'project' },
    { path: '.github/copilot/settings.json', scope: 'project' },
    { path: '.github/copilot/settings.local.json', scope: 'project' },
  ],
  relatedFiles: [{ path: CONFIG_FILE, scope: 'user' }],
  shape: 'either',
  // Copilot accepts camelCase and PascalCase event names
  events: {
    sessionStart: 'none',
    sessionEnd: 'none',
    userPromptSubmitted: 'none',
    userPromptTransformed: 'none',
    preToolUse: 'tool',
    permissionRequest: 'tool',
    postToolUse: 'tool',
    postToolUseFailure: 'tool',
    agentStop: 'none',
    subagentStart: 'other',
    subagentStop: 'other',
    preCompact: 'other',
    notification: 'other',
    errorOccurred: 'none',
    SessionStart: 'other',
    SessionEnd: 'other',
    UserPromptSubmit: 'none',
    PreToolUse: 'tool',
    PermissionRequest: 'tool',
    PostToolUse: 'tool',
    PostToolUseFailure: 'tool',
    Stop: 'none',
    SubagentStart: 'other',
    SubagentStop: 'other',
    PreCompact: 'other',
    Notification: 'other',
  },
  gates: ['preToolUse', 'PreToolUse'],
  types: ['command', 'http', 'prompt'],
  typeless: true,
  commands: ['bash', 'command', 'powershell'],
  timeout: { keys: ['timeoutSec', 'timeout'], unit: 's' },
  needs: { version: 1 },
  broken: 'ignores the whole file because of one such entry',
  // as of 1.0.102: a command that is not found denies the call
  closes: 'always',
  oneErrorVoidsFile: true,
  switches({ files, root, env }) {
    const off: DisablingSetting[] = filesWithSetting(files, ['disableAllHooks'], true).map(({ file, scope }) => ({
      id: 'HOOKS-DISABLED',
      file,
      key: ['disableAllHooks'],
      found: '`disableAllHooks` is true',
      silences: [scope],
      // in settings.json it did not disable the hook files (1.0.102)
      only: hook => hook.file === file,
      fix: 'remove `disableAllHooks` from that file',
    }))
    const config = files.find(({ path }) => path === CONFIG_FILE)
    if (isTrustedFolder(config?.settings, root) || env.GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS) return off
    return [
      ...off,
      {
        id: 'FOLDER-UNTRUSTED',
        file: config?.file ?? '',
        found: 'this folder is not trusted: hooks of the project are skipped',
        silences: ['project'],
        fix: 'start `copilot` here once and trust the folder',
        waits: true,
      },
    ]
  },
  callersSince: '1.0.49',
  omitsEventName: event => /^[a-z]/.test(event),
  policyMcp: serverWildcardOf,
  starts: { shell: 'bash', projectEnv: ['COPILOT_PROJECT_DIR'], env: { COPILOT_CLI: '1' } },
  headlessRun: {
    preservedPaths: [['version'], ['hooks'], ['disableAllHooks']],
    launch: ({ model, prompt }) => ({
      args: ['-p', prompt, '--no-auto-update', '--allow-all-tools'],
      env: {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_API_KEY: 'no-key',
        COPILOT_MODEL: 'gpt-5',
        COPILOT_AUTO_UPDATE: 'false',
      },
    }),
    carried: ({ files, root }, { project }) => {
      const trusted = isTrustedFolder(files.find(({ path }) => path === CONFIG_FILE)?.settings, root)
      return { '.copilot/config.json': JSON.stringify({ trusted_folders: trusted ? [project] : [] }) }
    },
    call: command => ({ tool: 'bash', input: { command, description: 'a step' } }),
  },
}

function isTrustedFolder(settings: unknown, root: string): boolean {
  const folders = valueAtPath(settings, ['trusted_folders']) ?? valueAtPath(settings, ['trustedFolders'])
  return Array.isArray(folders) && folders.some(folder => root === folder || root.startsWith(`${String(folder)}/`))
}
