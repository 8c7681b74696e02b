import {
  type ClientDiagnostics,
  type DiagnosticContext,
  type DisablingSetting,
  filesWithSetting,
  folderTrustForSandbox,
  isFolderTrusted,
  keysAtPath,
  serverWildcardOf,
  valueAtPath,
} from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'

const TRUSTED_FOLDERS_FILE = '~/.gemini/trustedFolders.json'

/** Folders in which an extension is enabled: the last matching rule wins; `!` disables, `*` includes all subfolders. */
const ENABLEMENT_FILE = '~/.gemini/extensions/extension-enablement.json'

const FOLDER_TRUST_SETTING = ['security', 'folderTrust', 'enabled']

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '/etc/gemini-cli/settings.json', scope: 'managed' },
    { path: '/Library/Application Support/GeminiCli/settings.json', scope: 'managed' },
    { path: '~/.gemini/settings.json', scope: 'user' },
    { path: '.gemini/settings.json', scope: 'project' },
    {
      path: '~/.gemini/extensions/signalbox/hooks/hooks.json',
      scope: 'user',
      plugin: {
        env: 'extensionPath',
        renew: 'gemini extensions update signalbox',
        remove: 'gemini extensions uninstall signalbox',
        state: (_file, context) => extensionState('signalbox', context),
      },
    },
  ],
  relatedFiles: [
    { path: TRUSTED_FOLDERS_FILE, scope: 'user' },
    { path: ENABLEMENT_FILE, scope: 'user' },
  ],
  plugins: {
    folder: '~/.gemini/extensions/*',
    hooks: 'hooks/hooks.json',
    servers: ['gemini-extension.json'],
    isOn: (folder, context) => extensionState(/([^/]+)\/$/.exec(folder)?.[1] ?? '', context) === 'on',
  },
  servers: {
    files: ['/etc/gemini-cli/settings.json', '~/.gemini/settings.json', '.gemini/settings.json'],
    names: ({ settings }) => keysAtPath(settings, ['mcpServers']),
  },
  shape: 'groups',
  // as of 0.61.0
  events: {
    SessionStart: 'other',
    SessionEnd: 'other',
    BeforeAgent: 'none',
    AfterAgent: 'none',
    BeforeModel: 'none',
    AfterModel: 'none',
    BeforeToolSelection: 'none',
    BeforeTool: 'tool',
    AfterTool: 'tool',
    PreCompress: 'other',
    Notification: 'other',
  },
  gates: ['BeforeTool'],
  types: ['command'],
  commands: ['command'],
  timeout: { keys: ['timeout'], unit: 'ms' },
  broken: 'ignores that entry',
  // as of 0.61.0: a command that is not found denies the call
  closes: 'always',
  switches({ files, root, env }) {
    const disabled = files.flatMap(({ file, settings }) => {
      const names = valueAtPath(settings, ['hooksConfig', 'disabled'])
      const list = Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
      return list.map(
        (name): DisablingSetting => ({
          id: 'HOOKS-DISABLED',
          file,
          key: ['hooksConfig', 'disabled'],
          found: `\`hooksConfig.disabled\` names \`${name}\``,
          silences: ['user', 'project', 'managed'],
          only: ({ handler }) => handler.name === name || (handler.name === undefined && handler.command === name),
          fix: 'remove the name from that list, or run `/hooks enable` in Gemini CLI',
        }),
      )
    })
    const off = filesWithSetting(files, ['hooksConfig', 'enabled'], false).map(({ file }) => ({
      id: 'HOOKS-DISABLED',
      file,
      key: ['hooksConfig', 'enabled'],
      found: '`hooksConfig.enabled` is false',
      silences: ['user', 'project', 'managed'] as const,
      fix: 'set `hooksConfig.enabled` to true there',
    }))
    return [...off, ...disabled, ...findUntrustedFolder({ files, root, env })]
  },
  mcp: name => {
    const [, server, tool] = /^mcp__([\w-]+?)__(\w+)$/.exec(name) ?? []
    return server ? `mcp_${server.replace(/^plugin_[^_]+_/, '')}_${tool}` : undefined
  },
  policyMcp: serverWildcardOf,
  starts: { shell: 'bash', projectEnv: ['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'CLAUDE_PROJECT_DIR'] },
  headlessRun: {
    preservedPaths: [['hooks'], ['hooksConfig'], ['security', 'folderTrust']],
    launch: ({ model, prompt }) => ({
      args: ['-p', prompt, '-m', 'gemini-2.5-pro', '--approval-mode', 'yolo'],
      env: { GEMINI_API_KEY: 'no-key', GOOGLE_GEMINI_BASE_URL: model },
      files: {
        '.gemini/settings.json': {
          security: { auth: { selectedType: 'gemini-api-key' } },
          telemetry: { enabled: false },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
        },
      },
    }),
    carried: (context, stage) =>
      folderTrustForSandbox(TRUSTED_FOLDERS_FILE, context, stage, {
        undecided: !filesWithSetting(context.files, FOLDER_TRUST_SETTING, true).length,
      }),
    call: command => ({ tool: 'run_shell_command', input: { command, description: 'a step' } }),
  },
}

/** Folder trust is on by default (0.61.0). Without trust, no settings file's hooks run; a headless run does not even start. */
function findUntrustedFolder({
  files,
  root,
  env,
}: Pick<DiagnosticContext, 'files' | 'root' | 'env'>): readonly DisablingSetting[] {
  const rules = files.find(({ path }) => path === TRUSTED_FOLDERS_FILE)
  const decided = isFolderTrusted(rules?.settings, root)
  if (
    decided ||
    env.GEMINI_CLI_TRUST_WORKSPACE === 'true' ||
    filesWithSetting(files, FOLDER_TRUST_SETTING, false).length > 0
  )
    return []
  const [enabledIn] = filesWithSetting(files, FOLDER_TRUST_SETTING, true)
  const isUnasked = decided === undefined && !enabledIn
  return [
    {
      id: 'FOLDER-UNTRUSTED',
      file: enabledIn?.file ?? rules?.file ?? '',
      ...(enabledIn && { key: FOLDER_TRUST_SETTING }),
      found: isUnasked
        ? 'it will ask whether you trust this folder: without trust no hook runs'
        : 'this folder is not trusted: hooks of every settings file are skipped',
      silences: ['user', 'project', 'managed'],
      // hooks of extensions run without trust
      only: ({ plugin }) => plugin === undefined,
      fix: 'start `gemini` here, run /permissions, and trust the folder',
      ...(isUnasked && { severity: 'note' }),
      ...(decided === undefined && { waits: true }),
    },
  ]
}

function extensionState(name: string, { files, root }: DiagnosticContext): 'on' | 'off' {
  const rules = valueAtPath(files.find(({ path }) => path === ENABLEMENT_FILE)?.settings, [name, 'overrides'])
  if (!Array.isArray(rules)) return 'on'
  const fits = rules.map(String).filter(rule => {
    const place = rule.replace(/^!/, '')
    const folder = place.replace(/\/?\*?$/, '')
    return root === folder || (place.endsWith('*') && root.startsWith(`${folder}/`))
  })
  return fits.at(-1)?.startsWith('!') ? 'off' : 'on'
}
