import { describe, expect, it } from 'vitest'
import { SharedStates, Simulator, simulatePayload } from '../../src/analysis/simulator/index.ts'
import { internalsOf } from '../../src/api/internals.ts'
import { clientById } from '../../src/clients/index.ts'
import { type Event, newSession } from '../../src/engine/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import type { TestStepDoc } from '../../src/policy/parse/policy-tests.ts'
import { compile } from '../../src/policy.ts'

const gate = (scope: string) => `
gates:
  push-needs-tests:
    scope: ${scope}
    initial: closed
    transitions:
      - { id: proven, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: unproven, while: closed, when: { command: git push }, then: deny, message: Run npm test first. }
`
const client = clientById('claude-code') ?? expect.unreachable('claude-code is a client')
const place = { root: '/project', home: '/home/me', client }

function eventOf(step: TestStepDoc): Event {
  const simulated = simulatePayload(step, place)
  return ('events' in simulated ? simulated.events[0] : undefined) ?? expect.unreachable('it is an event')
}

const PUSH = eventOf({ shell: 'git push' })
const TESTED = eventOf({ shell: 'npm test', after: 'succeeded' })

function simulator(scope = 'session', shared = new SharedStates(), id = 'one'): Simulator {
  const compiled = compile(gate(scope))
  const { program } = compiled.ok ? internalsOf(compiled.policy) : expect.unreachable('the policy loads')
  return new Simulator(
    { ...place, program, tools: { regex } },
    { session: newSession(id, '/project', 0), now: 0, shared },
  )
}

const decisionOf = (one: Simulator): string => one.preview(PUSH).outcome.decision

describe('a simulator', () => {
  it('goes on to the next states when it plays, and stays when it previews', () => {
    const one = simulator()
    expect(one.preview(TESTED).record.moves).toEqual([{ gate: 'project/push-needs-tests', from: 'closed', to: 'open' }])
    expect(decisionOf(one)).toBe('deny')
    one.play(TESTED)
    expect(decisionOf(one)).toBe('pass')
  })

  it('forks: what is played on the fork does not happen on the original, nor the other way round', () => {
    const original = simulator('project')
    const fork = original.fork()
    fork.play(TESTED)
    expect([decisionOf(original), decisionOf(fork)]).toEqual(['deny', 'pass'])
    const later = original.fork()
    original.play(TESTED)
    expect([decisionOf(original), decisionOf(later)]).toEqual(['pass', 'deny'])
  })

  it('continues from a session that it is given', () => {
    const [one, other] = [simulator(), simulator()]
    one.play(TESTED)
    other.session = one.session
    expect(decisionOf(other)).toBe('pass')
  })

  it('shares the gates of the project with other sessions, and no other gate', () => {
    for (const [scope, decision] of [
      ['project', 'pass'],
      ['session', 'deny'],
    ] as const) {
      const shared = new SharedStates()
      const [one, other] = [simulator(scope, shared, 'one'), simulator(scope, shared, 'other')]
      one.play(TESTED)
      expect([scope, decisionOf(other)]).toEqual([scope, decision])
    }
  })

  it('has the time that it is told', () => {
    const one = simulator()
    one.wait(90)
    expect(one.play(PUSH).record.at).toBe(90_000)
    one.now = 5
    expect(one.play(PUSH).record.at).toBe(5)
  })
})
