import { expect, it, vi } from 'vitest'
import { main } from '../../src/app/cli/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { type InProcessSandbox, withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { replayedAuditLog, toldToHook } from './hook-and-replay.ts'

const POLICY = 'use: [{ router-first: { per: prompt, handoff: true } }]'

const decision = (more: JsonObject): string =>
  JSON.stringify({ intent: 'fix', complexity: 'high', workflow_selection: 'w.yaml', confidence: 0.9, ...more })
/** The header ends in a quote: hidden as a part of JSON text it would leave no JSON to replay. */
const ESCALATED = decision({
  ...{ should_escalate: true, escalation_target: 'lead' },
  reasoning: 'the user wrote `curl -H "X-Auth-Token: correcthorse" h`',
})

let calls = 0
const begins = (tool_name: string, tool_input: JsonObject): JsonObject => ({
  ...{ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: `call-${calls++}` },
})
const ends = (call: JsonObject, output: JsonObject): JsonObject => ({
  ...{ ...call, hook_event_name: 'PostToolUse', tool_response: output },
})
const spawn = (subagent_type: string): JsonObject => begins('Agent', { subagent_type, description: 'd', prompt: 'p' })
const read = (): JsonObject => begins('Read', { file_path: '/home/dev/proj/a.ts' })
const prompt = (text: string): JsonObject => ({ hook_event_name: 'UserPromptSubmit', prompt: text })

/** The router is spawned, reads, and answers; its spawn ends with the answer. */
function routed(id: string, answer: string): readonly JsonObject[] {
  const agent = { agent_id: id, agent_type: 'router' }
  const call = spawn('router')
  return [
    call,
    { hook_event_name: 'SubagentStart', ...agent },
    { ...read(), ...agent },
    { hook_event_name: 'SubagentStop', stop_hook_active: false, last_assistant_message: answer, ...agent },
    ends(call, { status: 'completed', agentId: id, content: [{ type: 'text', text: answer }] }),
  ]
}

/** Decided twice, refused before and between, handed over once. */
const SESSION: readonly JsonObject[] = [
  { hook_event_name: 'SessionStart', source: 'startup' },
  prompt('fix the cart'),
  read(),
  ...routed('r1', '{"intent": "fix"}'),
  ...routed('r2', ESCALATED),
  read(),
  spawn('builder'),
  spawn('lead'),
  spawn('builder'),
  prompt('and now the shop'),
  read(),
  ...routed('r3', decision({ should_escalate: false })),
  spawn('builder'),
  read(),
  { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' },
].map(payload => ({ session_id: 's1', cwd: '/home/dev/proj', ...payload }))

/** What `signalbox replay` prints of the audit log in this home. */
async function replayed({ home, project }: InProcessSandbox): Promise<JsonObject> {
  let written = ''
  await main(['replay', '--source', 'audit-log', '--json'], {
    ...{ out: (text: string) => (written += text), err: () => {}, cwd: project, width: 80 },
    env: { HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_DAEMON: 'off', TZ: 'UTC' },
    ...{ isPerson: false, canAsk: false, window: { out: false, err: false }, ask: async () => '' },
  })
  return JSON.parse(written)
}

it('a session under router-first, for each prompt and with a handoff, replays as the hook decided it', () =>
  withInProcessSandbox({ project: POLICY }, async sandbox => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 15, 8) })
    try {
      const hook = await toldToHook(sandbox, 'claude-code', SESSION, () => 1000)
      expect(hook.filter(one => one.decision === 'deny').map(one => one.what.replace(sandbox.project, ''))).toEqual([
        'tool.before main Read read /a.ts',
        'agent.stop router ',
        'tool.before main Agent spawn builder',
        'tool.before main Read read /a.ts',
      ])
      expect(hook.flatMap(one => one.moves)).toEqual([
        'project/router-first closed closed',
        ...['project/router-first closed open', 'project/router-handoff open closed'],
        'project/router-handoff closed open',
        'project/router-first open closed',
        ...['project/router-first closed open', 'project/router-handoff open closed'],
      ])
      expect(JSON.stringify(sandbox.records())).not.toContain('correcthorse')
      expect(replayedAuditLog(sandbox)).toEqual(hook)
      expect(await replayed(sandbox)).toMatchObject({ sessions: 1, events: hook.length, same: hook.length, differ: 0 })
    } finally {
      vi.useRealTimers()
    }
  }))
