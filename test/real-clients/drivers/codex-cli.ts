import { join } from 'node:path'
import type { Driver, Stage } from '../driver.ts'
import { hookGroups, putFile } from '../setup.ts'

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
]

/** Each waits for about five seconds where there is no network. */
const ONLINE = ['apps', 'plugins', 'remote_plugin', 'api_key_model_discovery', 'daemon_auto_start']

const roleOf = (agent: string): string =>
  `name = "${agent}"\ndescription = "Plays the part of ${agent}."\ndeveloper_instructions = "Do what you are asked."\n`

const configOf = ({ model, project, permissions }: Stage): string => `
model = "gpt-5.1-codex"
model_provider = "scripted"
approval_policy = "${permissions === 'allow' ? 'never' : 'on-request'}"
sandbox_mode = "${permissions === 'allow' ? 'danger-full-access' : 'read-only'}"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects."${project}"]
trust_level = "trusted"

[features]
${ONLINE.map(feature => `${feature} = false`).join('\n')}

[analytics]
enabled = false
`

export const codexCli: Driver = {
  id: 'codex-cli',
  unpermitted: /blocked by read-only sandbox; rejected by user approval settings/,

  call(act) {
    switch (act.kind) {
      case 'write': {
        const patch = ['*** Begin Patch', `*** Add File: ${act.path}`, ...linesOf(act.content), '*** End Patch']
        return { tool: 'exec_command', input: { cmd: `apply_patch <<'EOF'\n${patch.join('\n')}\nEOF` } }
      }
      case 'shell':
        return {
          tool: 'exec_command',
          input: { cmd: act.command, ...(act.waits !== undefined && { yield_time_ms: act.waits * 1000 }) },
        }
      case 'fetch':
        return { tool: 'exec_command', input: { cmd: `curl -sL ${act.url}` } }
      case 'spawn':
        return { tool: 'multi_agent_v1.spawn_agent', input: { message: act.prompt, agent_type: act.agent } }
    }
  },

  wait: told => ({
    tool: 'multi_agent_v1.wait_agent',
    input: { targets: [/[0-9a-f]{8}-[0-9a-f-]{27}/.exec(told)?.[0] ?? ''], timeout_ms: 20_000 },
  }),

  launch(stage) {
    const { home, installed, prompt, hook, agents } = stage
    putFile(home, '.codex/config.toml', configOf(stage))
    for (const agent of agents) putFile(home, `.codex/agents/${agent}.toml`, roleOf(agent))
    if (hook) putFile(home, '.codex/hooks.json', { hooks: hookGroups(EVENTS, { command: hook, timeout: 10 }) })
    return {
      command: process.execPath,
      args: [
        join(installed, 'node_modules/@openai/codex/bin/codex.js'),
        ...['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
      ],
      env: { SCRIPTED_KEY: 'no-key' },
    }
  },
}

const linesOf = (content: string): readonly string[] =>
  content
    .replace(/\n$/, '')
    .split('\n')
    .map(line => `+${line}`)
