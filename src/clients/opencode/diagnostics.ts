import { type ClientDiagnostics, serverWildcardOf } from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'

const SCRIPTED_PROVIDER = { npm: '@ai-sdk/openai-compatible', name: 'scripted' }
const DISABLED_FEATURES = ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE']
const CONFIG_FOLDER = '.config/opencode'

const PACKAGE_FILES = ['node_modules', 'package.json', 'package-lock.json', 'bun.lock']

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '~/.config/opencode/plugin/', scope: 'user' },
    { path: '~/.config/opencode/plugins/', scope: 'user' },
    { path: '.opencode/plugin/', scope: 'project' },
    { path: '.opencode/plugins/', scope: 'project' },
  ],
  shape: 'code',
  events: { 'tool.execute.before': 'tool' },
  gates: ['tool.execute.before'],
  types: [],
  commands: [],
  timeout: { keys: ['timeoutMs'], unit: 'ms' },
  broken: 'does not load it',
  // our plugin denies the call if the hook program is missing
  closes: 'always',
  switches: () => [],
  mcp: name => {
    const [, server, tool] = /^mcp__([\w-]+?)__(\w+)$/.exec(name) ?? []
    return server ? `${server}_${tool}` : undefined
  },
  policyMcp: serverWildcardOf,
  starts: { shell: 'none', projectEnv: [] },
  headlessRun: {
    preservedPaths: [],
    launch: ({ model, prompt }) => ({
      args: ['run', '--model', 'scripted/scripted', prompt],
      env: Object.fromEntries(DISABLED_FEATURES.map(name => [`OPENCODE_DISABLE_${name}`, '1'])),
      files: {
        [`${CONFIG_FOLDER}/opencode.json`]: {
          provider: {
            scripted: {
              ...SCRIPTED_PROVIDER,
              options: { baseURL: `${model}/v1`, apiKey: 'no-key' },
              models: { scripted: { name: 'scripted', tool_call: true } },
            },
          },
          permission: { '*': 'allow' },
        },
      },
      // opencode's plugin package: without it, opencode waits for the network for a minute
      links: PACKAGE_FILES.map(name => `${CONFIG_FOLDER}/${name}`),
      projectLinks: Object.fromEntries(PACKAGE_FILES.map(name => [`.opencode/${name}`, `${CONFIG_FOLDER}/${name}`])),
    }),
    call: command => ({ tool: 'bash', input: { command, description: 'a step' } }),
  },
}
