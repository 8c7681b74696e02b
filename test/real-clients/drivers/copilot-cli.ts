import { join } from 'node:path'
import type { Driver } from '../driver.ts'
import { agentFile, putFile } from '../setup.ts'

const EVENTS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'permissionRequest',
  'postToolUse',
  'postToolUseFailure',
  'subagentStart',
  'subagentStop',
  'agentStop',
  'sessionEnd',
]

export const copilotCli: Driver = {
  id: 'copilot-cli',
  unoffered: ['web_fetch'],
  unpermitted: /Permission denied because no interactive user response was available/,

  call(act, { project }) {
    switch (act.kind) {
      case 'write':
        return { tool: 'create', input: { path: join(project, act.path), file_text: act.content } }
      case 'shell':
        return {
          tool: 'bash',
          input: {
            ...{ command: act.command, description: 'a step' },
            ...(act.waits !== undefined && { mode: 'sync', initial_wait: act.waits }),
          },
        }
      case 'fetch':
        return { tool: 'web_fetch', input: { url: act.url } }
      case 'spawn':
        return {
          tool: 'task',
          input: { name: 'a-part', description: 'a part', agent_type: act.agent, prompt: act.prompt, mode: 'sync' },
        }
    }
  },

  launch({ home, installed, model, prompt, hook, agents, permissions }) {
    // its camel-case payloads do not say which event they are
    const handlers = EVENTS.map(event => [
      event,
      [{ type: 'command', bash: `${hook} --event ${event}`, timeoutSec: 10 }],
    ])
    if (hook) putFile(home, '.copilot/hooks/trial.json', { version: 1, hooks: Object.fromEntries(handlers) })
    for (const agent of agents) putFile(home, `.copilot/agents/${agent}.agent.md`, agentFile(agent))
    return {
      command: process.execPath,
      args: [
        join(installed, 'node_modules/@github/copilot/npm-loader.js'),
        ...['-p', prompt, '--no-auto-update'],
        ...(permissions === 'allow' ? ['--allow-all-tools'] : []),
      ],
      env: {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_API_KEY: 'no-key',
        COPILOT_MODEL: 'gpt-5',
        COPILOT_AUTO_UPDATE: 'false',
      },
    }
  },
}
