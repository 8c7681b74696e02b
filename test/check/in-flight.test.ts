import { describe, expect, it } from 'vitest'
import { found, proofs } from './policies.ts'

/** A note opens it. Of what closes it not all is understood: only a way that holds everywhere is certain then. */
const noted = (rule: string): string => `
gates:
  noted:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.before, any: [{ command: begin }, { tool: Track, input: { id: { regex: "\\\\bA-\\\\p{Lu}{2}\\\\b" } } }] } }
      - { id: o, from: closed, to: open, when: { event: tool.before, action: write, path: NOTES.md } }
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Write NOTES.md first. }]
  reviewer-only-reads:
    rules: [{ id: w, when: { caller: reviewer, action: [write, delete] }, then: deny, message: You review. }]
  stops:
    initial: closed
    transitions: [{ id: d, from: closed, to: open, when: { event: tool.before, command: finish } }]
    rules: [{ id: s, ${rule}, message: Not yet. }]
`
/** It does not say who calls: one who is in flight is taken for it. */
const inferred = ['gemini-cli']
const NOTHING = { findings: [], inconclusive: [] }

describe('whoever is in flight', () => {
  it('ends first where nobody can keep it from that: then it is the main agent who calls', () => {
    const policy = noted('while: closed, when: { command: make release }, then: deny')
    expect(found(proofs(policy, inferred))).toEqual(NOTHING)
  })

  it.each([['gemini-cli'], ['claude-code']])('ends at last where it is kept so often, and no longer: on %s', client => {
    const kept = noted('while: closed, when: { event: agent.stop }, then: deny, limit: 2')
    expect(found(proofs(kept, [client]))).toEqual(NOTHING)
  })

  it('stays where it is kept for good, and is refused what opens the gate', () => {
    const kept = noted('while: open, when: { event: agent.stop, agent: reviewer }, then: deny')
    expect(found(proofs(kept, inferred)).findings).not.toEqual([])
  })

  it('closes by its end what it has opened: no way leads from there to what the main agent wants', () => {
    const policy = `
gates:
  sealed:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, command: seal, caller: reviewer } }
      - { id: c, from: open, to: closed, when: { event: agent.stop } }
    rules: [{ id: r, while: closed, when: { command: git push, caller: main }, then: deny, message: Let the reviewer seal it. }]
`
    const { findings } = proofs(policy, inferred)
    expect(findings.map(one => one.what)).toEqual(['sealed can be closed with no way left to do what it refuses'])
  })
})

/** How many operations it takes is counted, so it is played. */
it('an agent that has a gate of its own opens it where callers are inferred: the main agent alone spawns there', () => {
  const policy = `
gates:
  tested:
    scope: agent
    initial: closed
    transitions:
      - { id: edited, from: open, to: closed, when: { event: tool.before, action: write } }
      - { id: passed, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true, since: { closed: { operations: 1 } } } }
    rules: [{ id: r, while: closed, when: { command: git commit }, then: deny, message: Run the tests first. }]
`
  expect(found(proofs(policy, inferred))).toEqual(NOTHING)
})

it('what was not tried is told of the gate it may lock, and not again of those that wait for it', () => {
  const policy = `
gates:
  door:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, command: open-door } }
      - { id: c, from: open, to: closed, when: { event: tool.before, command: shut-door } }
    rules: [{ id: r, while: closed, when: { command: leave }, then: deny, message: Open the door first. }]
  first:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, command: start, gate: { door: closed } } }
      - { id: c, from: open, to: closed, when: { event: tool.before, any: [{ command: begin }, { tool: Track, input: { id: { regex: "\\\\bA-\\\\p{Lu}{2}\\\\b" } } }] } }
    rules: [{ id: r, while: closed, when: { command: [do-second, git push] }, then: deny, message: Start first. }]
  second:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.before, command: do-second } }]
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: do-second first. }]
`
  expect(found(proofs(policy))).toEqual({
    findings: [],
    inconclusive: ['deadlock an untried call may close first, door with no way left'],
  })
})

/** As it begins it closes a gate that is needed closed, as it ends it closes another; in between the first may open again. */
const closesTwice = (helps: string): string => `
gates:
  red:
    initial: open
    transitions:
      - { id: c, from: open, to: closed, when: { event: tool.after, command: gamma } }
      - { id: o, from: closed, to: open, when: { event: tool.before, action: write${helps} } }
  green:
    initial: open
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.after, gate: { red: open } } }
      - { id: c, from: open, to: closed, when: { event: tool.before, command: gamma, gate: { red: open } } }
    rules: [{ id: r, while: open, when: { event: tool.before, ${helps ? 'command: deploy, gate: { red: closed }' : 'action: write'} }, then: deny, message: Not now. }]
`

describe('a call that closes one gate as it begins and another as it ends', () => {
  it.each([
    ['the first refuses while it is open', ''],
    ['the second opens only while the first is closed', ', gate: { green: closed }'],
  ])('is played as going on where %s', (_, helps) => {
    expect(found(proofs(closesTwice(helps), ['opencode'])).findings).not.toEqual([])
  })
})

/** A build that fails closes one gate, and any success opens the other: that refuses what opens the first. */
const failing = (refused: string): string => `
gates:
  built:
    initial: open
    transitions:
      - { id: o, from: closed, to: open, when: { event: tool.before, command: repair } }
      - { id: c, from: open, to: closed, when: { event: tool.after, command: build, succeeded: false } }
    rules: [{ id: r, while: closed, when: { event: tool.before }, then: deny, message: Run repair. }]
  done:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.after, succeeded: true, gate: { built: open } } }]
    rules: [{ id: d, while: open, when: { event: tool.before, command: [${refused}] }, then: deny, message: It is done. }]
`

describe('a call whose success moves another gate than its failure', () => {
  it('may fail after another call has succeeded, which would have refused it', () => {
    expect(found(proofs(failing('build, repair'))).findings).toEqual(['deadlock built'])
  })

  it('does no harm where what repairs it passes', () => {
    expect(found(proofs(failing('build')))).toEqual(NOTHING)
  })
})
