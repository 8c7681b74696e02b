import { describe, expect, it } from 'vitest'
import { found, proofs } from './policies.ts'

/** An agent ends once its work was compiled. */
const compiled = (more: string): string => `
gates:
  compiled:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, action: write, path: "**/*.ts" } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: tsc, succeeded: true } }
    rules:
      - { id: s, while: closed, when: { event: agent.stop }, then: deny, message: Run tsc. }
${more}`

describe('who spawned an agent waits for it', () => {
  it('so an agent that may not do what lets it end is held, though the main agent could', () => {
    const policy = compiled(
      '  no-agents:\n    rules: [{ id: r, when: { caller: agent, action: run }, then: deny, message: Agents run nothing. }]',
    )
    expect(found(proofs(policy))).toEqual({ findings: ['cannot-end compiled'], inconclusive: [] })
    expect(proofs(policy).findings[0]?.why).toBe(
      "compiled's rule s refuses it; compiled needs `some-agent: tsc`, and no-agents's rule r refuses that",
    )
  })

  it('one that may do it itself is not', () => {
    expect(found(proofs(compiled('')))).toEqual({ findings: [], inconclusive: [] })
  })

  it('nor one that is let go after a while', () => {
    const policy = compiled('').replace('then: deny', 'limit: 2, then: deny')
    expect(found(proofs(policy))).toEqual({ findings: [], inconclusive: [] })
  })

  it('what another gate refuses to it may be opened by itself as well', () => {
    const policy = compiled(
      '  ready:\n    initial: closed\n    transitions: [{ id: o, from: closed, to: open, when: { event: tool.before, command: install } }]\n    rules: [{ id: r, while: closed, when: { command: tsc }, then: deny, message: Install first. }]',
    )
    expect(found(proofs(policy))).toEqual({ findings: [], inconclusive: [] })
    const mainOnly = policy.replace('command: install', 'command: install, caller: main')
    expect(found(proofs(mainOnly)).findings).toContain('cannot-end compiled')
  })
})

describe('only a person opens it', () => {
  const locked = (more: string): string => `
gates:
  locked:
    initial: open
    opens: human
${more}    rules: [{ id: r, while: closed, when: { command: terraform }, then: deny, message: Ask the user to unlock. }]
`
  const CLOSES = '{ id: c, from: open, to: closed, when: { event: tool.after, command: terraform apply } }'
  const OPENS = '{ id: o, from: closed, to: open, when: { event: prompt.submit, source: user, prompt: unlock it } }'

  it('and there is nothing that a person could do: it says what is missing', () => {
    const { findings } = proofs(locked(`    transitions: [${CLOSES}]\n`))
    expect(findings).toMatchObject([
      {
        kind: 'no-guidance',
        what: 'only a person opens locked, and nothing a person does opens it',
        why: 'it has no transition to `open`: the user can only bypass it (`signalbox bypass`)',
        fix: [
          {
            advice:
              'add a transition for what the user writes: `transitions: [{ from: closed, to: open, when: { event: prompt.submit, source: user, prompt: … } }]`',
          },
        ],
      },
    ])
    const kept = proofs(locked(`    yields: false\n    transitions: [${CLOSES}]\n`))
    expect(kept.findings.map(one => one.why)).toEqual([
      'it has no transition to `open`, and it cannot be bypassed (`yields: false`)',
    ])
  })

  it.each([
    ['by a prompt', `    transitions: [${CLOSES}, ${OPENS}]\n`],
    ['by a variable that lifts it', `    bypass: { env: { UNLOCKED: "1" } }\n    transitions: [${CLOSES}]\n`],
    ['and it is never closed', ''],
  ])('%s', (_, more) => {
    expect(proofs(locked(more)).findings.filter(one => one.kind === 'no-guidance')).toEqual([])
  })
})

const MORE_AGENTS = 'several agents at once were not explored'

describe('one agent is in flight, and another would open the gate', () => {
  it.each([
    [
      'of another type',
      `
gates:
  reviewed:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: agent.stop, agent: reviewer } }]
    rules: [{ id: s, while: closed, when: { event: agent.stop, agent: builder }, then: deny, message: A review first. }]
`,
      ['deadlock reviewed', 'cannot-end reviewed'],
    ],
    [
      'of the same type, spawned later',
      `
gates:
  planned:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: agent.stop, agent: planner } }
      - { id: c, from: open, to: closed, when: { event: prompt.submit } }
    rules:
      - { id: st, while: closed, when: { event: agent.stop, agent: planner }, then: deny, message: Plan first. }
`,
      ['deadlock planned', 'cannot-end planned'],
    ],
  ])('%s: that is not certain', (_, policy, inconclusive) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive })
    expect(proof.inconclusive.map(one => one.inconclusiveReason)).toEqual([MORE_AGENTS, MORE_AGENTS])
  })
})

describe('a rule on the start of an agent', () => {
  const start = (closing: string): string => `
gates:
  listed:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, tool: TodoWrite } }
${closing}    rules:
      - { id: r, while: closed, when: { event: tool.before }, unless: { action: [coordinate, read] }, then: deny, message: List first. }
      - { id: s, while: closed, when: { event: agent.start }, then: warn, message: List first. }
`
  it('may speak where a prompt closes the gate between the call and the start', () => {
    const closing = '      - { id: c, from: open, to: closed, when: { event: prompt.submit } }\n'
    expect(found(proofs(start(closing)))).toEqual({ findings: [], inconclusive: [] })
  })

  it('does not where the gate is never as the condition requires', () => {
    const never = start('')
      .replace('id: s, while: closed', 'id: s, while: closed, unsure: pass')
      .replace('initial: closed', 'initial: open')
    expect(found(proofs(never)).findings).toContain('unreachable listed')
  })
})

it('an agent that may end once so many operations have passed makes them itself', () => {
  const policy = `
gates:
  red:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.failed } }
      - { id: o, from: closed, to: open, when: { since: { closed: { operations: 1 } } } }
    rules: [{ id: r, while: closed, when: { event: agent.stop }, then: deny, message: Not yet. }]
`
  expect(found(proofs(policy, ['claude-code', 'gemini-cli']))).toEqual({ findings: [], inconclusive: [] })
})
