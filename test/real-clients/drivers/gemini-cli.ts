import { join } from 'node:path'
import type { Driver } from '../driver.ts'
import { agentFile, hookGroups, putFile } from '../setup.ts'

const EVENTS = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'PreCompress', 'SessionEnd']

/** A tool that is asked for as a whole would not even be offered without a person. */
const ASK = `[[rule]]
toolName = "write_file"
argsPattern = "a[.]txt"
decision = "ask_user"
priority = 200

[[rule]]
toolName = "write_file"
decision = "allow"
priority = 100
`

export const geminiCli: Driver = {
  id: 'gemini-cli',
  unpermitted: /requires user confirmation, which is not supported in non-interactive mode/,
  answer: text => ({ tool: 'complete_task', input: { result: text } }),

  call(act, { project }) {
    switch (act.kind) {
      case 'write':
        return { tool: 'write_file', input: { file_path: join(project, act.path), content: act.content } }
      case 'shell':
        return {
          tool: 'run_shell_command',
          input: {
            ...{ command: act.command, description: 'a step' },
            // there is no wait of its own for a call
            ...(act.waits !== undefined && { is_background: true }),
          },
        }
      case 'fetch':
        return { tool: 'web_fetch', input: { prompt: `What does ${act.url} say?` } }
      case 'spawn':
        return { tool: 'invoke_agent', input: { agent_name: act.agent, prompt: act.prompt } }
    }
  },

  launch({ home, installed, model, prompt, hook, agents, permissions }) {
    putFile(home, '.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      ...(hook && { hooks: hookGroups(EVENTS, { name: 'trial', command: hook, timeout: 10_000 }) }),
    })
    if (permissions === 'ask') putFile(home, '.gemini/policies/ask.toml', ASK)
    for (const agent of agents) putFile(home, `.gemini/agents/${agent}.md`, agentFile(agent))
    return {
      command: process.execPath,
      args: [
        programIn(installed),
        ...['-p', prompt, '-m', 'gemini-2.5-pro'],
        ...['--approval-mode', permissions === 'allow' ? 'yolo' : 'default'],
      ],
      env: { GEMINI_API_KEY: 'no-key', GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }
  },

  plugin({ installed }, root) {
    const folder = join(root, 'plugins/gemini-cli')
    const run = (...args: readonly string[]) => ({
      command: process.execPath,
      args: [programIn(installed), 'extensions', ...args],
      env: {},
    })
    return { validate: [run('validate', folder)], install: [run('install', '--consent', '--skip-settings', folder)] }
  },
}

const programIn = (installed: string): string => join(installed, 'node_modules/@google/gemini-cli/bundle/gemini.js')
