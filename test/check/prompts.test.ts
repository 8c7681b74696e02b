import { describe, expect, it } from 'vitest'
import { describeStep, isProven } from '../../src/analysis/verify/index.ts'
import { found, proofs } from './policies.ts'

/** A gate that refuses prompts while it is closed. */
const door = (initial: string, transitions: string, more = ''): string => `
gates:
  door:
    initial: ${initial}
    transitions: [${transitions}]
    rules:
      - { id: shut, while: closed, when: { event: prompt.submit }, then: deny, message: Ask the user.${more} }
`
const TESTED = '{ id: o, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }'
const WRITTEN = '{ id: c, from: open, to: closed, when: { event: tool.before, action: write } }'

describe('where every prompt is refused no agent works', () => {
  it('nor ever has', () => {
    const { findings } = proofs(door('closed', TESTED))
    expect(
      findings.map(({ kind, why, counterexample, fix }) => ({
        kind,
        why,
        fix,
        story: counterexample.map(({ step }) => describeStep(step)),
      })),
    ).toEqual([
      {
        kind: 'deadlock',
        why: "door's rule shut refuses every prompt, and without a prompt no agent works, so `npm test` never happens",
        fix: [{ at: expect.stringContaining(':7'), advice: 'let a prompt pass while door is closed' }],
        story: ['prompt of user: something else'],
      },
    ])
  })

  it('again, once the turn has ended', () => {
    const { findings } = proofs(door('open', `${WRITTEN}, ${TESTED}`))
    expect(findings.map(one => one.kind)).toEqual(['deadlock'])
    expect(findings[0]?.counterexample.map(({ step }) => describeStep(step))).toEqual([
      'prompt of user: something else',
      'writes some.txt',
      'ends its turn',
      'prompt of user: something else',
    ])
  })

  it('though it is another gate that waits for it', () => {
    const policy = `
gates:
  tests:
    initial: open
    transitions: [${WRITTEN}, ${TESTED}]
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Test first. }]
  door:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: turn.stop, gate: { tests: closed } } }
      - { id: o, from: closed, to: open, when: { gate: { tests: open } } }
    rules: [{ id: shut, while: closed, when: { event: prompt.submit }, then: deny, message: Not now. }]
`
    expect(found(proofs(policy)).findings).toEqual(['deadlock tests', 'deadlock door'])
  })

  it('though a turn does not end before it is open: whom it spawned may outlive it', () => {
    const stay = '      - { id: stay, while: closed, when: { event: turn.stop }, then: deny, message: Test first. }\n'
    const [one] = proofs(`${door('open', `${WRITTEN}, ${TESTED}`)}${stay}`).findings
    expect(one?.counterexample.map(({ step }) => describeStep(step))).toEqual([
      'prompt of user: something else',
      'spawns some-agent',
      'ends its turn',
      'some-agent: writes some.txt',
      'some-agent stops',
      'prompt of user: something else',
    ])
  })

  it('but one that was spawned before the turn ended', () => {
    const policy = `
gates:
  turns:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: prompt.submit } }
      - { id: o, from: closed, to: open, when: { event: turn.stop } }
    rules: [{ id: r, while: closed, when: { action: run }, then: deny, message: Not in a turn. }]
  door:
    initial: open
    transitions: [{ id: c, from: open, to: closed, when: { event: tool.after, command: make } }]
    rules: [{ id: shut, while: closed, when: { event: prompt.submit }, then: deny, message: Ask the user. }]
`
    const [one] = proofs(policy).findings
    expect(one?.counterexample.map(({ step }) => describeStep(step))).toEqual([
      'prompt of user: something else',
      'spawns some-agent',
      'ends its turn',
      'some-agent: make',
      'prompt of user: something else',
    ])
  })

  it.each([
    [
      'time opens it',
      door('closed', `${WRITTEN}, { id: o, from: closed, to: open, when: { since: { closed: { seconds: 60 } } } }`),
    ],
    [
      'a session begins with it open',
      door('closed', `${TESTED}, { id: s, from: closed, to: open, when: { event: session.start } }`),
    ],
    [
      'a person opens it',
      door('closed', WRITTEN).replace(
        '    initial',
        '    opens: human\n    bypass: { env: { OPEN: "1" } }\n    initial',
      ),
    ],
    ['one prompt is let through', door('closed', TESTED, ', unless: { prompt: { regex: "^test" } }')],
    ['it refuses only so often', door('closed', TESTED, ', limit: 2')],
    [
      'one prompt opens it, and an agent can as well',
      door(
        'open',
        `${WRITTEN}, ${TESTED}, { id: p, from: closed, to: open, when: { event: prompt.submit, prompt: { regex: "^test" } } }`,
      ),
    ],
  ])('but not where %s', (_, policy) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })
})

/** A push needs tests, which a prompt undoes, and the word of a person, which some calls use up. */
const approved = (
  usedUp: string,
  { undone = '{ event: prompt.submit }', also = '' }: { undone?: string; also?: string } = {},
): string => `
gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: ${undone} }
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Test. }]
  approval:
    initial: closed
    opens: human
    transitions:
      - { from: closed, to: open, when: { event: prompt.submit, prompt: approved } }
      - { from: open, to: closed, when: ${usedUp} }${also}
    rules: [{ while: closed, when: { command: git push }, then: deny, message: The user writes approved. }]
`

describe('a prompt that opens one gate and closes another', () => {
  const BY_RUNNING = '{ event: tool.after, action: run, not: { command: git push } }'

  it('locks the agent where the way back closes the first one', () => {
    const { findings } = proofs(approved(BY_RUNNING))
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'deadlock tests can be closed with no way left to do what it refuses',
    ])
  })

  it.each([
    ['the way back leaves it open', approved('{ event: tool.after, command: git push }')],
    [
      'only other prompts close the other gate',
      approved(BY_RUNNING, { undone: '{ event: prompt.submit, prompt: undo, not: { prompt: approved } }' }),
    ],
    [
      'a call opens it, too',
      approved(BY_RUNNING, { also: '\n      - { from: closed, to: open, when: { event: agent.stop, agent: lead } }' }),
    ],
    [
      'a person can set a variable',
      approved(BY_RUNNING).replace('opens: human', 'opens: human\n    bypass: { env: { OK: "1" }, message: x }'),
    ],
  ])('is no lock where %s', (_, policy) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })
})
