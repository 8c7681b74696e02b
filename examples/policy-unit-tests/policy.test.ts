// npx vitest

import { type PolicyUnderTest, policyFile } from 'signalbox/testing'
import { beforeEach, describe, expect, it } from 'vitest'

describe('pushing', () => {
  let p: PolicyUnderTest
  beforeEach(() => {
    p = policyFile('signalbox.yaml')
  })

  it('waits for the tests', () => {
    expect(p.event({ shell: 'git push' })).toMatchObject({ decision: 'deny', gate: 'push-needs-tests' })
    p.event({ shell: 'npm test', after: 'succeeded' })
    expect(p.gates()).toEqual({ 'push-needs-tests': 'open' })
    expect(p.event({ shell: 'git push' }).decision).toBe('pass')
  })

  it.each(['npm test | tail', 'npm test || true', 'npm test -- --grep cart'])('is not opened by `%s`', line => {
    p.event({ shell: line, after: 'succeeded' })
    expect(p.gates()).toEqual({ 'push-needs-tests': 'closed' })
  })

  it('waits again after an edit, also by a subagent', () => {
    p.event({ shell: 'npm test', after: 'succeeded' })
    p.event({ edit: 'src/cart.ts', as: 'builder' })
    expect(p.event({ shell: 'git push' }).reason).toContain('npm test')
  })
})
