import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

/** How model servers write the id of the call that spawned the agent: it is the end of the agent's id. */
const IDS = {
  OpenAI: 'call_0007main',
  Anthropic: 'toolu_01AbC',
  vLLM: 'chatcmpl-tool-0a1b2c',
  'LM Studio': '365174485',
  Mistral: 'D681PevKs',
  'llama.cpp': 'QhXb7rWq2kLmN9pRsTuVwXyZaBcDeFgH',
  Kimi: 'functions.agent:0',
  UUID: '550e8400-e29b-41d4-a716-446655440000',
  Bedrock: 'tooluse_k2Jd-9f0a1b2c',
}

const POLICY = `gates:
  by-name:
    rules:
      - { when: { event: tool.before, caller: beta, command: git push }, then: deny, unsure: UNSURE, message: Not you. }
`

const base = { session_id: 's', cwd: '/home/dev/proj' }
const start = (agent_id: string, agent_type: string) => ({
  ...base,
  ...{ timestamp: '2026-11-15T08:00:00.000Z', hook_event_name: 'SubagentStart', agent_id, agent_type },
})
const push = (agent_id?: string) => ({
  ...base,
  ...{ timestamp: '2026-11-15T08:00:01.000Z', hook_event_name: 'PreToolUse', agent_id },
  ...{ tool_name: 'run_shell_command', tool_input: { command: 'git push', is_background: false } },
})

const play = (payloads: readonly object[], unsure = 'warn') =>
  withSandbox({ user: POLICY.replace('UNSURE', unsure) }, async sandbox => {
    const replies: string[] = []
    for (const payload of payloads)
      replies.push(
        (await sandbox.hook('qwen-code', JSON.stringify(payload), { env: { SIGNALBOX_DAEMON: 'off' } })).stdout,
      )
    const callers = sandbox.records().map(({ caller }) => caller)
    return { isDenied: /"deny"/.test(replies.at(-1) ?? ''), caller: callers.at(-1) }
  })

describe.each(Object.entries(IDS))('an id of %s', (_, id) => {
  it('is of the type that the start of the agent gave', async () => {
    const starts = [start(`alpha-${id}`, 'alpha'), start(`beta-${id}`, 'beta')]
    expect(await play([...starts, push(`beta-${id}`)])).toEqual({ isDenied: true, caller: 'beta' })
    expect(await play([...starts, push(`alpha-${id}`)])).toEqual({ isDenied: false, caller: 'alpha' })
  })
})

it('an agent of which no start was seen, and whose id does not tell: what the rule says of what it cannot know', async () => {
  expect(await play([push('beta-D681PevKs')], 'deny')).toMatchObject({ isDenied: true })
  expect(await play([push('beta-D681PevKs')], 'warn')).toMatchObject({ isDenied: false })
  expect(await play([push()], 'deny')).toEqual({ isDenied: false, caller: 'main' })
})
