import { at, type Checkup, isTrustedIn, type Switch, trustedOn, turnedOff, wholeServer } from '../checkup.ts'
import { ID } from './events.ts'

const TRUSTED = '~/.gemini/trustedFolders.json'

export const checkup: Checkup = {
  id: ID,
  files: [
    { path: '/etc/gemini-cli/settings.json', scope: 'managed' },
    { path: '/Library/Application Support/GeminiCli/settings.json', scope: 'managed' },
    { path: '~/.gemini/settings.json', scope: 'user' },
    { path: '.gemini/settings.json', scope: 'project' },
  ],
  beside: [{ path: TRUSTED, scope: 'user' }],
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
  broken: 'leaves that entry out',
  switches({ files, root, env }) {
    const disabled = files.flatMap(({ file, said }) => {
      const names = at(said, ['hooksConfig', 'disabled'])
      const list = Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
      return list.map(
        (name): Switch => ({
          id: 'HOOKS-DISABLED',
          file,
          key: ['hooksConfig', 'disabled'],
          saw: `\`hooksConfig.disabled\` names \`${name}\``,
          silences: ['user', 'project', 'managed'],
          only: ({ handler }) => handler.name === name || (handler.name === undefined && handler.command === name),
          fix: 'take the name out of that list, or `/hooks enable` in Gemini CLI',
        }),
      )
    })
    const off = turnedOff(files, ['hooksConfig', 'enabled'], false).map(({ file }) => ({
      id: 'HOOKS-DISABLED',
      file,
      key: ['hooksConfig', 'enabled'],
      saw: '`hooksConfig.enabled` is false',
      silences: ['user', 'project', 'managed'] as const,
      fix: 'set `hooksConfig.enabled` to true there',
    }))
    const asks = turnedOff(files, ['security', 'folderTrust', 'enabled'], true)[0]
    const rules = files.find(({ path }) => path === TRUSTED)
    if (!asks || env.GEMINI_CLI_TRUST_WORKSPACE === 'true' || isTrustedIn(rules?.said, root))
      return [...off, ...disabled]
    return [
      ...off,
      ...disabled,
      {
        id: 'FOLDER-UNTRUSTED',
        file: asks.file,
        key: ['security', 'folderTrust', 'enabled'],
        saw: 'folder trust is on, and this folder is not trusted: hooks of every settings file are skipped',
        silences: ['user', 'project', 'managed'],
        fix: 'trust the folder in Gemini CLI: /permissions',
      },
    ]
  },
  mcp: name => {
    const [, server, tool] = /^mcp__([\w-]+?)__(\w+)$/.exec(name) ?? []
    return server ? `mcp_${server.replace(/^plugin_[^_]+_/, '')}_${tool}` : undefined
  },
  policyMcp: wholeServer,
  starts: { shell: 'bash', projectEnv: ['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'CLAUDE_PROJECT_DIR'] },
  rehearsal: {
    kept: [['hooks'], ['hooksConfig'], ['security', 'folderTrust']],
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
    carried: (around, stage) => trustedOn(TRUSTED, around, stage),
    call: command => ({ tool: 'run_shell_command', input: { command, description: 'a step' } }),
  },
}
