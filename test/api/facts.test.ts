import { describe, expect, it } from 'vitest'
import { compile, evaluate, type PolicyEvent } from '../../src/policy.ts'

const TEXT = `
gates:
  main:
    rules:
      - { id: on-main, when: { command: git commit, git: { branch: main } }, then: deny, message: Commit on a branch. }
  freeze:
    rules:
      - { id: friday, when: { command: kubectl apply, time: { days: fri, from: "16:00", zone: UTC } }, then: deny, message: Monday. }
  plan:
    rules:
      - { id: planning, when: { action: write, session: { permissions: plan, model: "*mini*" } }, then: deny, message: Plan first. }
  secrets:
    rules:
      - { id: key, when: { action: write, text: AKIA }, then: deny, message: No keys. }
`

/** How a policy test says what the conditions on facts are about. */
describe('what a test says of the repository, the session and the time', () => {
  const compilation = compile(TEXT)
  const decisionOf = (event: PolicyEvent): string =>
    compilation.ok ? evaluate(compilation.policy, event).decision : 'error'

  it.each<readonly [PolicyEvent, string]>([
    [{ shell: 'git commit', git: { branch: 'main' } }, 'deny'],
    [{ shell: 'git commit', git: { branch: 'topic' } }, 'pass'],
    [{ shell: 'git commit' }, 'pass'],
    [{ shell: 'kubectl apply', time: '2026-11-20T16:00:00Z' }, 'deny'],
    [{ shell: 'kubectl apply', time: '2026-11-20T15:59:59Z' }, 'pass'],
    [{ shell: 'kubectl apply', time: '2026-11-20T15:59:59Z', wait: 1 }, 'deny'],
    [{ write: 'a', text: 'x', permissions: 'plan', model: 'gpt-5-mini' }, 'deny'],
    [{ write: 'a', text: 'x', permissions: 'plan', model: 'opus' }, 'pass'],
    [{ write: 'a', text: 'k = AKIA1' }, 'deny'],
    [{ edit: 'a', text: 'k = AKIA1' }, 'deny'],
    [{ write: 'a', text: 'x' }, 'pass'],
  ])('%j: %s', (event, decision) => {
    expect(decisionOf(event)).toBe(decision)
  })
})
