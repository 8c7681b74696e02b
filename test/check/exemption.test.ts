import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { VerificationFinding } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const only = { clients: clients.filter(one => one.id === 'claude-code') }
const findings = (gates: object): readonly VerificationFinding[] =>
  withPolicies((load, root) => proofOf(load({ gates }), root, only).findings)
const gates = (opener: object, unless: object = {}) => ({
  g: {
    initial: 'closed',
    transitions: [{ id: 't', from: 'closed', to: 'open', when: { event: 'tool.after', ...opener } }],
    rules: [
      { id: 'all', while: 'closed', when: { event: 'tool.before' }, ...unless, then: 'deny', message: 'Not now.' },
    ],
  },
})
const adviceOn = (opener: object): string => {
  const [first] = findings(gates(opener))
  return first?.fix[0]?.advice ?? ''
}

describe('advice to let something pass', () => {
  it.each([
    [{ command: 'npm run test:unit' }, 'unless: { command: npm run test:unit }'],
    [{ action: 'spawn', agent: 'reviewer' }, 'unless: { action: spawn, agent: reviewer }'],
    [{ action: 'write', path: 'docs/plan.md' }, 'unless: { action: write, path: docs/plan.md }'],
    [{ action: 'write' }, 'unless: { action: write }'],
    [{ url: 'https://plans.test/a' }, 'unless: { action: fetch, url: "https://plans.test/a" }'],
    [{ tool: 'mcp__gh__get' }, 'unless: { tool: mcp__gh__get }'],
  ])('%j: is a line of policy, and with it there is a way', (opener, line) => {
    const advice = adviceOn(opener)
    expect(advice).toMatch(/^let `.*` pass: `unless: .*`$/)
    const [, pasted = ''] = /: `(unless: .*)`$/.exec(advice) ?? []
    expect(pasted).toBe(line)
    expect(findings(gates(opener, parse(pasted))).filter(one => one.kind === 'deadlock')).toEqual([])
  })

  it('is in words where a line does more than one thing', () => {
    expect(adviceOn({ command: 'make', assigns: { CI: '1' } })).toBe('let `CI=1 make` pass (`unless`)')
  })
})
