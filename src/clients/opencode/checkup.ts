import { type Checkup, wholeServer } from '../checkup.ts'
import { ID } from './events.ts'

const PROVIDER = { npm: '@ai-sdk/openai-compatible', name: 'scripted' }
const OFF = ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE']
const CONFIG = '.config/opencode'

const PACKAGE = ['node_modules', 'package.json', 'package-lock.json', 'bun.lock']

export const checkup: Checkup = {
  id: ID,
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
  // our plugin denies the call if the hook it starts is gone
  closes: 'always',
  switches: () => [],
  mcp: name => {
    const [, server, tool] = /^mcp__([\w-]+?)__(\w+)$/.exec(name) ?? []
    return server ? `${server}_${tool}` : undefined
  },
  policyMcp: wholeServer,
  starts: { shell: 'none', projectEnv: [] },
  rehearsal: {
    kept: [],
    launch: ({ model, prompt }) => ({
      args: ['run', '--model', 'scripted/scripted', prompt],
      env: Object.fromEntries(OFF.map(name => [`OPENCODE_DISABLE_${name}`, '1'])),
      files: {
        [`${CONFIG}/opencode.json`]: {
          provider: {
            scripted: {
              ...PROVIDER,
              options: { baseURL: `${model}/v1`, apiKey: 'no-key' },
              models: { scripted: { name: 'scripted', tool_call: true } },
            },
          },
          permission: { '*': 'allow' },
        },
      },
      // its package for plugins: without it, it waits for the network for a minute
      links: PACKAGE.map(name => `${CONFIG}/${name}`),
      projectLinks: Object.fromEntries(PACKAGE.map(name => [`.opencode/${name}`, `${CONFIG}/${name}`])),
    }),
    call: command => ({ tool: 'bash', input: { command, description: 'a step' } }),
  },
}
