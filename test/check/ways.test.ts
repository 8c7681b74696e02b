import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { found, proofs } from './policies.ts'

/** So few events only where no state is looked at for it. */
const FEW = 50

const answers = (of: string, property: string, rest = '') => `
  ${of}:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: agent.stop, agent: router }, capture: { d: { json: { type: object, required: [intent], properties: { intent: ${property} } } } }${rest} }
      - { from: open, to: closed, when: { event: prompt.submit } }
    rules:
      - { id: unrouted, while: closed, when: { event: tool.before }, unless: { any: [{ caller: [agent] }, { action: spawn, agent: router }] }, then: deny, message: Spawn the router. }`

const DENY = ', invalid: { then: deny, message: Send it again. }'

describe('an answer that is captured opens from everywhere', () => {
  it('where one fits, also where others are refused', () => {
    const proof = proofs(`gates:${answers('routed', '{ type: string }', DENY)}
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: make test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: write } }
    rules:
      - { id: untested, while: closed, when: { command: git commit }, then: deny, message: Run make test. }`)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
    expect(proof.events).toBeLessThan(FEW)
  })

  it('not where two gates want answers that exclude each other', () => {
    const both = `gates:${answers('routed', '{ enum: [fix] }', DENY)}${answers('planned', '{ enum: [plan] }', DENY)}`
    expect(isProven(proofs(both))).toBe(false)
  })

  it('not where what is captured is never told: a call has no answer when it begins', () => {
    const early = answers('routed', '{ type: string }').replace(
      'event: agent.stop, agent: router',
      'event: tool.before, action: spawn, agent: router',
    )
    expect(isProven(proofs(`gates:${early}`))).toBe(false)
  })

  it('not by a later transition where an earlier one takes the answer and finds it wanting', () => {
    const first = `gates:${answers('routed', '{ enum: [fix] }')}`.replace(
      '      - { from: open',
      '      - { from: closed, to: open, when: { event: agent.stop, agent: router } }\n      - { from: open',
    )
    const always = answers('planned', '{ enum: [plan] }', DENY).replace('from: closed', 'from: [closed, open]')
    expect(isProven(proofs(`${first}${always}`))).toBe(false)
  })
})

/** An agent that writes has read the rules first, for itself; the main agent writes nothing. */
const READ_FIRST = `
  read-first:
    initial: closed
    scope: agent
    transitions:
      - { from: closed, to: open, when: { event: tool.before, action: read, path: AGENTS.md } }
    rules:
      - { id: unread, while: closed, when: { event: tool.before, action: write, caller: agent }, then: deny, message: Read AGENTS.md first. }
  delegates:
    rules:
      - { id: main, when: { event: tool.before, action: write, caller: main }, then: deny, message: Spawn the builder., suggest: { agent: builder } }`

const CHANGELOG = `
  changelog:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.before, action: write, path: CHANGELOG.md } }
      - { from: open, to: closed, when: { event: tool.before, action: write, path: "src/**" } }
    rules:
      - { id: unsaid, while: closed, when: { command: gh pr create }, then: deny, message: Write CHANGELOG.md. }`

const EVERYWHERE = ['claude-code', 'gemini-cli', 'opencode']

describe('a gate that each agent has for itself opens from everywhere', () => {
  it('by what each does, also for what others wait for, and where callers are inferred', () => {
    const proof = proofs(`gates:${READ_FIRST}${CHANGELOG}`, EVERYWHERE)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
    expect(proof.events).toBeLessThan(FEW * EVERYWHERE.length)
  })

  it('not by what another does', () => {
    const only = READ_FIRST.replace('path: AGENTS.md }', 'path: AGENTS.md, caller: main }')
    const { findings, inconclusive } = found(proofs(`gates:${only}`))
    expect([...findings, ...inconclusive]).toContain('deadlock read-first')
  })

  it('not where it may not begin before it has', () => {
    const start = READ_FIRST.replace(
      '{ id: unread, while: closed, when: { event: tool.before, action: write, caller: agent }',
      '{ id: unread, while: closed, when: { event: agent.start }',
    )
    expect(isProven(proofs(`gates:${start}${CHANGELOG}`, ['cursor']))).toBe(false)
  })

  it('not where a prompt closes it for who began before that', () => {
    const prompted = READ_FIRST.replace(
      '    rules:\n      - { id: unread',
      '      - { from: open, to: closed, when: { event: prompt.submit } }\n    rules:\n      - { id: unread',
    )
    expect(proofs(`gates:${prompted}`).events).toBeGreaterThan(FEW)
  })
})

describe('a gate that time opens', () => {
  const COOL = `
  cool-down:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.after, command: make deploy, succeeded: false } }
      - { from: closed, to: open, when: { since: { closed: { seconds: 600 } } } }
    rules:
      - { id: soon, while: closed, when: { command: make deploy }, then: deny, message: Wait ten minutes. }`

  it('opens from everywhere', () => {
    const proof = proofs(`gates:${COOL}`)
    expect(isProven(proof)).toBe(true)
    expect(proof.events).toBeLessThan(FEW)
  })

  it('also where whatever is done closes it again: it is open while that is judged', () => {
    const anew = COOL.replace(
      'event: tool.after, command: make deploy, succeeded: false',
      'event: tool.before',
    ).replace('from: open, to: closed', 'from: [open, closed], to: closed')
    expect(isProven(proofs(`gates:${anew}`))).toBe(true)
  })
})
