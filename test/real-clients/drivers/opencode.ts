import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Driver } from '../driver.ts'
import { agentFile, putFile } from '../setup.ts'

/** It has no hooks that are commands: Signalbox brings a plugin. In place of it, a command that is asked before each call. */
const trialPlugin = (hook: string): string => `
import { spawnSync } from 'node:child_process'
export const Trial = async () => ({
  'tool.execute.before': async (input, output) => {
    const asked = spawnSync('sh', ['-c', ${JSON.stringify(hook)}], { input: JSON.stringify({ input, output }), encoding: 'utf8' })
    if (asked.status === 2) throw new Error(asked.stderr)
  },
})
`

/** It would install its own package for plugins, and wait for the network for a minute, if this did not look installed. */
function preinstall(config: string, installed: string): void {
  const dependencies = { [PACKAGE]: '*' }
  putFile(config, 'package.json', { dependencies })
  putFile(config, 'package-lock.json', { lockfileVersion: 3, packages: { '': { dependencies } } })
  mkdirSync(join(config, 'node_modules', dirname(PACKAGE)), { recursive: true })
  symlinkSync(join(installed, 'node_modules', PACKAGE), join(config, 'node_modules', PACKAGE))
}

const PACKAGE = '@opencode-ai/plugin'

const OFF = ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE']

export const opencode: Driver = {
  id: 'opencode',
  unpermitted: /rejected permission to use this specific tool call/,

  call(act, { project }) {
    switch (act.kind) {
      case 'write':
        return { tool: 'write', input: { filePath: join(project, act.path), content: act.content } }
      case 'shell':
        return {
          tool: 'bash',
          input: {
            ...{ command: act.command, description: 'a step' },
            ...(act.waits !== undefined && { timeout: act.waits * 1000 }),
          },
        }
      case 'fetch':
        return { tool: 'webfetch', input: { url: act.url, format: 'text' } }
      case 'spawn':
        return { tool: 'task', input: { description: 'a part', subagent_type: act.agent, prompt: act.prompt } }
    }
  },

  launch({ home, project, installed, model, prompt, hook, agents, permissions }) {
    const config = '.config/opencode'
    if (hook) putFile(home, `${config}/plugins/trial.mjs`, trialPlugin(hook))
    putFile(home, `${config}/opencode.json`, {
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `${model}/v1`, apiKey: 'no-key' },
          models: { scripted: { name: 'scripted', tool_call: true } },
        },
      },
      permission: permissions === 'allow' ? { '*': 'allow' } : { edit: 'ask', bash: 'ask' },
    })
    // init writes an agent there, which makes it a folder of its settings
    for (const folder of [join(home, config), join(project, '.opencode')]) preinstall(folder, installed)
    for (const agent of agents) putFile(home, `${config}/agents/${agent}.md`, agentFile(agent, 'mode: subagent\n'))
    return {
      command: join(installed, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
      args: ['run', '--model', 'scripted/scripted', prompt],
      env: Object.fromEntries(OFF.map(name => [`OPENCODE_DISABLE_${name}`, '1'])),
    }
  },
}
