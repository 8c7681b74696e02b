import { describe, expect, it } from 'vitest'
import { found, proofs } from './policies.ts'

/** A rule that speaks only in a case which is rare, and not impossible. */
const gates = (...rules: readonly string[]): string => `gates:\n${rules.join('')}`
const stateful = (name: string, closes: string, opens: string, rule: string): string => `  ${name}:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { ${closes} } }
      - { id: o, from: closed, to: open, when: { ${opens} } }
    rules: [{ id: r, ${rule}, then: warn, message: So it is. }]
`
const plain = (rule: string): string => `  p: { rules: [{ id: r, ${rule}, then: deny, message: Not so. }] }\n`

describe('a rule is called unreachable only where that is certain', () => {
  it.each([
    [
      'it speaks to one agent while another is at work',
      gates(
        stateful(
          'builds',
          'event: agent.start, agent: builder',
          'event: agent.stop, agent: builder',
          'while: closed, when: { event: tool.before, command: npm test, caller: tester }',
        ),
      ),
    ],
    ['it speaks where a variable is set', gates(plain('when: { command: deploy, env: { CI: "true" } }'))],
    [
      'it is silent where a variable is set',
      gates(plain('when: { command: deploy }, unless: { env: { CI: "true" } }')),
    ],
    [
      'it is exempt unless a variable is set',
      gates(plain('when: { command: deploy }, unless: { not: { env: { CI: "true" } } }')),
    ],
    [
      'a variable closes its gate',
      gates(
        stateful(
          'ci',
          'event: tool.before, env: { CI: "true" }',
          'event: tool.before, command: leave',
          'while: closed, when: { event: tool.before, command: deploy }',
        ),
      ),
    ],
    [
      'another session closed the gate that it shares',
      `
gates:
  lock:
    scope: project
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, command: make lock } }
      - { from: closed, to: open, when: { event: tool.before, command: make unlock } }
    rules: [{ while: closed, when: { command: deploy }, unless: { gate: { owner: open } }, then: deny, message: Somebody deploys. }]
  owner:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, command: make lock } }]
`,
    ],
    [
      'its call began before another one closed the gate',
      `
gates:
  g:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.before, command: make clean } }
    rules:
      - { while: closed, when: { event: tool.before, command: make report }, then: deny, message: Clean first., suggest: make clean }
      - { while: closed, when: { event: tool.after, command: make report }, then: warn, message: It is stale. }
`,
    ],
  ])('%s', (_, policy) => {
    const { findings } = found(proofs(policy))
    expect(findings.filter(one => one.startsWith('unreachable'))).toEqual([])
  })

  it('and there it is', () => {
    const never = gates(plain('when: { command: deploy, not: { command: deploy } }'))
    expect(found(proofs(never)).findings).toEqual(['unreachable p'])
  })
})
