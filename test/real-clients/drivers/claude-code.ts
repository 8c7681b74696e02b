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

export const claudeCode: Driver = {
  id: 'claude-code',
  unpermitted: /requested permissions to .* haven't granted it yet/,

  call(act, { project }) {
    switch (act.kind) {
      case 'write':
        return { tool: 'Write', input: { file_path: join(project, act.path), content: act.content } }
      case 'shell':
        return {
          tool: 'Bash',
          input: {
            ...{ command: act.command, description: 'a step' },
            ...(act.waits !== undefined && { timeout: act.waits * 1000 }),
          },
        }
      case 'fetch':
        return { tool: 'WebFetch', input: { url: act.url, prompt: 'What does it say?' } }
      case 'spawn':
        return {
          tool: 'Agent',
          input: { description: 'a part', subagent_type: act.agent, prompt: act.prompt, run_in_background: false },
        }
    }
  },

  launch({ home, installed, model, prompt, hook, agents, permissions }) {
    if (hook) putFile(home, '.claude/settings.json', { hooks: hookGroups(EVENTS, { command: hook, timeout: 10 }) })
    for (const agent of agents) putFile(home, `.claude/agents/${agent}.md`, agentFile(agent))
    const allowed = permissions === 'allow' ? ['--allowedTools', 'Bash,Write,Edit,Read,Agent,WebFetch'] : []
    return {
      command: programIn(installed),
      args: ['-p', prompt, '--permission-mode', 'default', ...allowed],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: 'no-key',
        ...QUIET,
        // every tool is offered from the start
        ENABLE_TOOL_SEARCH: 'false',
      },
    }
  },

  plugin({ installed }, root) {
    const run = (...args: readonly string[]) => ({
      command: programIn(installed),
      args: ['plugin', ...args],
      env: QUIET,
    })
    return {
      validate: [run('validate', '--strict', join(root, 'plugins/claude-code')), run('validate', '--strict', root)],
      install: [run('marketplace', 'add', root), run('install', 'signalbox@signalbox')],
    }
  },
}

const programIn = (installed: string): string =>
  join(installed, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`)

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
}
