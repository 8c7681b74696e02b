import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'
import { parseExposition } from '../support/store/prometheus-text.ts'

const FLAG = 'CLAUDE_ORCHESTRATOR_APPROVED'
let nth = 0
const write = (sandbox: Sandbox, env: Record<string, string>, client = 'claude-code') =>
  sandbox.hook(
    client,
    JSON.stringify({
      ...{
        session_id: 's',
        cwd: '/home/dev/proj',
        hook_event_name: 'PreToolUse',
      },
      ...{ tool_use_id: `toolu_${nth++}`, tool_name: client === 'qwen-code' ? 'write_file' : 'Write' },
      tool_input: { file_path: '/home/dev/proj/src/a.py', content: 'x' },
    }),
    { env: { SIGNALBOX_DAEMON: 'off', ...env } },
  )
const lastOf = (sandbox: Sandbox) => sandbox.records().at(-1)

describe('a variable that keeps a rule from refusing', () => {
  it('is said to the person, noted in the record and counted', () =>
    withSandbox({ user: 'use: [{ master-orchestrator: { flag: "1" } }]' }, async sandbox => {
      const { stdout } = await write(sandbox, { [FLAG]: '1' })
      expect(JSON.parse(stdout)).toEqual({
        systemMessage: `signalbox: "master-orchestrator" allowed this call: ${FLAG} is set`,
      })
      expect(lastOf(sandbox)).toMatchObject({
        decision: 'pass',
        approvedBy: [`env ${FLAG}`],
        notes: [`approved by env ${FLAG}: user/master-orchestrator direct`],
        approvedRules: ['user/master-orchestrator direct'],
      })
      // a rule that only let by what was approved is in use: nobody is told to test or remove it
      expect((await sandbox.run(['stats'])).stdout).not.toMatch(/idle|Idle|Summary/)
      const { rules } = JSON.parse((await sandbox.run(['stats', '--json', '--by', 'rule'])).stdout)
      expect(rules).toEqual([expect.objectContaining({ rule: 'direct', fired: 0, approved: 1 })])
      // each use
      expect((await write(sandbox, { [FLAG]: '1' })).stdout).toContain('allowed this call')
      expect((await write(sandbox, {})).stdout).toContain('"deny"')
      const { totals } = JSON.parse((await sandbox.run(['stats', '--json'])).stdout)
      expect(totals).toMatchObject({ calls: 3, denied: 1, bypassed: 0, bypassUsage: 2, approvedByVariable: 2 })
      expect((await sandbox.run(['stats'])).stdout).toContain(
        '  bypasses  2: 0 bypassed, 0 approved by a token, 2 by a variable\n',
      )
      const family = parseExposition((await sandbox.run(['stats', '--prometheus'])).stdout).get(
        'signalbox_bypass_usage_total',
      )
      expect(family?.samples.map(({ labels, value }) => [labels.by, value])).toEqual([
        ['bypass', 0],
        ['token', 0],
        ['variable', 2],
      ])
      expect((await sandbox.run(['log', '--decision', 'bypass'])).stdout).toMatch(/bypass.*write /)
      expect((await sandbox.run(['explain', '1'])).stdout).toContain(
        `Note  approved by ${FLAG}; this is the decision without it\n`,
      )
      expect((await sandbox.run(['explain', '3'])).stdout).not.toContain('approved by')
    }))

  it('of a gate that it lifts is counted in the same line', () =>
    withSandbox({ user: 'use: [orchestrator-boundary]' }, async sandbox => {
      await write(sandbox, { AMPLIFIER_BYPASS_BOUNDARY: 'true' })
      expect((await sandbox.run(['stats'])).stdout).toContain(
        '  bypasses  1: 1 bypassed, 0 approved by a token, 0 by a variable\n',
      )
      expect((await sandbox.run(['explain', '1'])).stdout).toContain(
        'Note  orchestrator-boundary was bypassed at that time\n',
      )
    }))

  it('is noted however the rule is written, and only where it made a difference', () =>
    withSandbox(
      {
        user: `gates:
  by-unless: { rules: [{ id: a, when: { event: tool.before, action: write }, unless: { env: { MAY_A: "1" } }, then: deny, message: no }] }
  by-not: { rules: [{ id: b, when: { event: tool.before, action: write, not: { env: { MAY_B: "1" } } }, then: ask, message: no }] }
  observes: { mode: observe, rules: [{ id: c, when: { event: tool.before, action: write }, unless: { env: { MAY_C: "1" } }, then: deny, message: no }] }
  both: { rules: [{ id: d, when: { event: tool.before, action: write }, unless: { env: { MAY_D: "1", MAY_E: "1" } }, then: deny, message: no }] }
  stricter: { rules: [{ id: e, when: { event: tool.before, action: write, env: { STRICT: "1" } }, then: ask, message: no }] }
`,
      },
      async sandbox => {
        const all = { MAY_A: '1', MAY_B: '1', MAY_C: '1', MAY_D: '1', MAY_E: '1' }
        await write(sandbox, all)
        expect(lastOf(sandbox)?.approvedBy).toEqual(['env MAY_A', 'env MAY_B', 'env MAY_D', 'env MAY_E'])
        expect(lastOf(sandbox)?.notes.join()).toContain('user/by-unless a, user/by-not b, user/both d')
        const refused = await write(sandbox, { ...all, MAY_A: '0' })
        expect(lastOf(sandbox)).toMatchObject({ decision: 'deny', rule: 'a' })
        expect(lastOf(sandbox)?.approvedBy).toBeUndefined()
        expect(refused.stdout).not.toContain('allowed this call')
        await write(sandbox, { STRICT: '1', MAY_A: '0' })
        expect(lastOf(sandbox)?.approvedBy).toBeUndefined()
      },
    ))

  it('is said with a later event where a client shows nothing before a call', () =>
    withSandbox({ user: 'use: [{ master-orchestrator: { flag: "1" } }]' }, async sandbox => {
      expect((await write(sandbox, { [FLAG]: '1' }, 'qwen-code')).stdout).toBe('')
      const stop = { session_id: 's', cwd: '/home/dev/proj', hook_event_name: 'Stop', stop_hook_active: false }
      const { stdout } = await sandbox.hook('qwen-code', JSON.stringify(stop), { env: { SIGNALBOX_DAEMON: 'off' } })
      expect(stdout).toContain(`allowed this call: ${FLAG} is set`)
    }))

  it('is nothing to speak of for a call that no rule minds', () =>
    withSandbox({ user: 'use: [{ master-orchestrator: { flag: "1" } }]' }, async sandbox => {
      const { stdout } = await sandbox.hook(
        'claude-code',
        JSON.stringify({
          ...{ session_id: 's', cwd: '/home/dev/proj', hook_event_name: 'PreToolUse', tool_name: 'Read' },
          ...{ tool_use_id: 'toolu_r', tool_input: { file_path: '/home/dev/proj/a' } },
        }),
        { env: { SIGNALBOX_DAEMON: 'off', [FLAG]: '1' } },
      )
      expect(stdout).toBe('')
      expect(lastOf(sandbox)?.approvedBy).toBeUndefined()
    }))
})
