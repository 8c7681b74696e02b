import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { capture } from '../support/clients/captures.ts'
import { understood } from '../support/clients/replies.ts'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = { project: 'use: [router-first]' }
const BOX = [
  '╔═══════════════════════════════════════════════════════════════════╗',
  '║  ROUTER-FIRST ENFORCEMENT - REQUEST MUST BE ROUTED               ║',
  '╠═══════════════════════════════════════════════════════════════════╣',
  '║  Your request has not been classified by the router agent yet.   ║',
  '║  All requests must be routed before processing can begin.        ║',
  '║                                                                   ║',
  '║  What to do:                                                      ║',
  '║  1. Send your request to the system normally                      ║',
  '║  2. The router will classify it automatically                     ║',
  '║  3. Then your request will be processed                           ║',
  '╚═══════════════════════════════════════════════════════════════════╝',
].join('\n')

const READ = { tool_name: 'Read', tool_input: { file_path: '/some/file.ts' }, context: { agent_name: 'developer' } }
const DECISION = JSON.stringify({
  intent: 'web_app',
  complexity: 'high',
  cloud_provider: 'gcp',
  workflow_selection: '@.claude/workflows/greenfield-fullstack.yaml',
  confidence: 0.95,
  reasoning: 'User wants enterprise web application with GCP',
  keywords_detected: ['enterprise', 'web application', 'google cloud'],
  should_escalate: true,
  escalation_target: 'master-orchestrator',
})

const ask = async (sandbox: Sandbox, payload: object, env: Record<string, string> = {}) => {
  const { stdout, exitCode } = await sandbox.hook('generic', JSON.stringify(payload), { env })
  expect(exitCode).toBe(0)
  return JSON.parse(stdout)
}
const routed = async (sandbox: Sandbox): Promise<void> => {
  await ask(sandbox, { tool_name: 'Task', tool_result: DECISION, context: { agent_name: 'router' } })
}
const metadata = (routing_status: string) => ({
  routing_status,
  enforcement_version: '1.0.0',
  decision_time_ms: expect.any(Number),
})

/** The seven scenarios of the protocol's specification, in its own words. What is expected is a part of the reply. */
describe.concurrent('the seven scenarios of routing', () => {
  it('1: the first request of a new session', () =>
    withSandbox(POLICY, async sandbox => {
      const expected = { decision: 'block', reason: BOX, metadata: metadata('pending') }
      expect(await ask(sandbox, READ)).toEqual(expected)
      // never shortened: whoever asks may show it to a person
      expect(await ask(sandbox, READ)).toEqual(expected)
    }))

  it('2: the router is running', () =>
    withSandbox(POLICY, async sandbox => {
      await ask(sandbox, READ)
      const router = {
        ...READ,
        tool_input: { file_path: '/workflow.yaml' },
        context: { agent_name: 'router' },
      }
      expect(await ask(sandbox, router)).toEqual({ decision: 'approve', metadata: metadata('in_progress') })
    }))

  it('3: routing is completed', () =>
    withSandbox(POLICY, async sandbox => {
      await routed(sandbox)
      const write = { ...READ, tool_name: 'Write', tool_input: { file_path: '/output.ts', content: '...' } }
      expect(await ask(sandbox, write)).toEqual({ decision: 'approve', metadata: metadata('completed') })
    }))

  it('4: the bypass', () =>
    withSandbox(POLICY, async sandbox => {
      const reply = await ask(sandbox, READ, { CLAUDE_ROUTER_BYPASS: 'true' })
      expect(reply).toEqual({
        decision: 'approve',
        warning: 'ROUTER BYPASS ACTIVE (CLAUDE_ROUTER_BYPASS=true)',
        metadata: metadata('bypassed'),
      })
      expect(sandbox.records().at(-1)?.matches).toMatchObject([{ gate: 'project/router-first', bypassed: true }])
    }))

  it('5: the stored session is damaged', () =>
    withSandbox(POLICY, async sandbox => {
      await routed(sandbox)
      const database = openDriver(join(sandbox.home, 'state/signalbox.db'))
      database.prepare(`UPDATE sessions SET json = '{"id":'`).run()
      database.close()
      expect(await ask(sandbox, READ)).toEqual({
        decision: 'block',
        reason: 'Router must classify request first. (State was reset due to corruption.)',
        warning: 'Session state was corrupted and has been reset.',
        metadata: metadata('pending'),
      })
      // said once; closed until it is routed again
      expect(await ask(sandbox, READ)).toEqual({ decision: 'block', reason: BOX, metadata: metadata('pending') })
    }))

  it('6: the hook gets no answer ready in time', () =>
    withSandbox(POLICY, async ({ project, home }) => {
      const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home }
      const child = spawn(process.execPath, [BIN, 'hook', '--client', 'generic'], { cwd: project, env })
      // whoever calls never ends the input
      child.stdin.write(JSON.stringify(READ))
      const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
      expect(JSON.parse(stdout)).toEqual({ decision: 'approve', warning: 'Hook timeout - allowing request' })
    }))

  it('7: the orchestrator delegates after routing', () =>
    withSandbox(POLICY, async sandbox => {
      await routed(sandbox)
      const task = { tool_name: 'Task', tool_input: { prompt: '...', subagent_type: 'developer' } }
      const reply = await ask(sandbox, { ...task, context: { agent_name: 'master-orchestrator' } })
      expect(reply).toEqual({ decision: 'approve', metadata: metadata('completed') })
    }))
})

/** Words and signs, long words in pieces of six letters: more than any tokenizer makes of plain English. */
const tokens = (text: string): number => text.match(/[a-z]{1,6}|\d|[^\sa-z\d]/gi)?.length ?? 0

describe.concurrent('elsewhere the refusal is short, and names the call that unlocks', () => {
  it.each([
    ['claude-code', 'claude-code-2.1.325/PreToolUse.Read', '`Agent` with subagent_type `router`'],
    ['gemini-cli', 'gemini-cli-0.61.0/BeforeTool.read_file', '`invoke_agent` with agent_name `router`'],
  ])('%s', (client, recorded, call) =>
    withSandbox(POLICY, async sandbox => {
      const payload = capture(recorded)
      const { stdout, ...reply } = await sandbox.hook(client, JSON.stringify(payload))
      const { reason } = understood(
        client,
        { ...reply, exitCode: 0, stdout: stdout.trim() },
        String(payload.hook_event_name),
      )
      expect(reason).toContain(call)
      expect(tokens(reason)).toBeLessThanOrEqual(60)
    }),
  )
})
