import { join } from 'node:path'
import type { Driver } from '../driver.ts'
import { agentFile, hookGroups, putFile } from '../setup.ts'

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
]

export const qwenCode: Driver = {
  id: 'qwen-code',
  unoffered: ['web_fetch'],
  unpermitted: /requires permission to use .* that permission was declined/,

  call(act, { project }) {
    switch (act.kind) {
      case 'write':
        return { tool: 'write_file', input: { file_path: join(project, act.path), content: act.content } }
      case 'shell':
        return { tool: 'run_shell_command', input: { command: act.command, is_background: act.waits !== undefined } }
      case 'fetch':
        return { tool: 'web_fetch', input: { url: act.url, prompt: 'What does it say?' } }
      case 'spawn':
        return {
          tool: 'agent',
          input: { description: 'a part', subagent_type: act.agent, prompt: act.prompt, run_in_background: false },
        }
    }
  },

  launch({ home, installed, model, prompt, hook, agents, permissions }) {
    putFile(home, '.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      // without a person, a tool that nobody named would not even be offered
      ...(permissions === 'ask' && { tools: { core: ['write_file', 'edit'] } }),
      // milliseconds
      ...(hook && { hooks: hookGroups(EVENTS, { name: 'trial', command: hook, timeout: 10_000 }) }),
    })
    for (const agent of agents) putFile(home, `.qwen/agents/${agent}.md`, agentFile(agent))
    const modules = join(installed, 'node_modules')
    return {
      // it needs Node 22, whichever runs the tests
      command: join(modules, `node-${process.platform}-${process.arch}/bin/node`),
      args: [
        join(modules, '@qwen-code/qwen-code/cli-entry.js'),
        ...['-p', prompt, '--auth-type', 'openai', '-m', 'scripted'],
        ...['--approval-mode', permissions === 'allow' ? 'yolo' : 'default'],
      ],
      env: { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'no-key', OPENAI_MODEL: 'scripted' },
    }
  },
}
