import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { replayedAuditLog, toldToHook } from './hook-and-replay.ts'

const call = (tool_name: string, tool_input: JsonObject, tool_use_id: string): readonly [JsonObject, JsonObject] => {
  const both = { tool_name, tool_input, tool_use_id }
  const ended = { ...both, hook_event_name: 'PostToolUse', tool_response: { stdout: 'ok', stderr: '' } }
  return [{ ...both, hook_event_name: 'PreToolUse' }, ended]
}
const shell = (command: string, id: string) => call('Bash', { command }, id)
const spawned = (subagent_type: string, agent_id: string, does: readonly JsonObject[] = []): readonly JsonObject[] => {
  const [begun, ended] = call('Agent', { subagent_type, description: 'd', prompt: 'p' }, `spawn-${agent_id}`)
  const agent = { agent_id, agent_type: subagent_type }
  return [
    begun,
    { hook_event_name: 'SubagentStart', ...agent },
    ...does.map(one => ({ ...one, ...agent })),
    { hook_event_name: 'SubagentStop', stop_hook_active: false, last_assistant_message: 'done', ...agent },
    ended,
  ]
}

const WATCHED = 'gates: { watch: { rules: [{ when: { command: never }, then: deny, message: Never. }] } }'
const opensBy = (when: string, rule: string) => `gates:
  g:
    initial: closed
    transitions: [{ from: closed, to: open, when: { ${when} } }]
    rules:
      - { while: closed, when: { command: git push }, then: deny, message: Not yet. }
      - { when: { ${rule} }, then: deny, message: Never. }
`

/** What replay says under this policy of a session that was recorded under another one. */
const replayedUnder = (policy: string, session: readonly JsonObject[]) =>
  withInProcessSandbox({ project: WATCHED }, async sandbox => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 15, 8) })
    try {
      const payloads = session.map(payload => ({ session_id: 's1', cwd: '/home/dev/proj', ...payload }))
      await toldToHook(sandbox, 'claude-code', payloads, () => 1000)
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), policy)
      return replayedAuditLog(sandbox).map(({ what, decision }) => `${what}: ${decision}`)
    } finally {
      vi.useRealTimers()
    }
  })

describe('what a denied call would have brought about does not happen in a replay', () => {
  it('the agent whose spawn is denied neither acts nor stops', async () => {
    const policy = opensBy('event: agent.stop, agent: reviewer', 'action: spawn, agent: reviewer')
    const session = [...spawned('reviewer', 'a1', shell('ls', 'c1')), ...shell('git push', 'c2')]
    expect(await replayedUnder(policy, session)).toEqual([
      'tool.before main Agent spawn reviewer: deny',
      'tool.before main Bash run git push: deny',
    ])
  })

  it('nor does one that it would have spawned itself', async () => {
    const policy = opensBy('event: agent.stop, agent: scout', 'action: spawn, agent: reviewer')
    const session = [
      ...spawned('reviewer', 'a1', spawned('scout', 'a2').slice(0, 1)),
      ...spawned('scout', 'a2').slice(1, -1),
    ]
    expect(await replayedUnder(policy, session)).toEqual(['tool.before main Agent spawn reviewer: deny'])
  })

  it('the next one of its type, whose spawn is allowed, does', async () => {
    const policy = opensBy('event: agent.start, agent: scout', 'action: spawn, agent: reviewer, gate: { g: closed }')
    const session = [...spawned('reviewer', 'a1'), ...spawned('scout', 'a2'), ...spawned('reviewer', 'a3')]
    expect((await replayedUnder(policy, session)).filter(one => one.includes('reviewer'))).toEqual([
      'tool.before main Agent spawn reviewer: deny',
      'tool.before main Agent spawn reviewer: pass',
      'agent.start reviewer : pass',
      'agent.stop reviewer : pass',
      'tool.after main Agent spawn reviewer: pass',
    ])
  })

  it('the end of a call that the audit log knows without an id', async () => {
    const policy = opensBy('event: tool.after, command: npm test, succeeded: true', 'command: npm, gate: { g: closed }')
    const session = [...shell('npm test', 'c1'), ...shell('git push', 'c2')]
    expect(await replayedUnder(policy, session)).toEqual([
      'tool.before main Bash run npm test: deny',
      'tool.before main Bash run git push: deny',
    ])
  })
})
