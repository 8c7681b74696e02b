import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { found, proofs } from './policies.ts'

const everybody = clients.map(one => one.id)

/** So much work, once so much more, and a deploy that begins anew but has to be ripe. */
function budget(work: number, more: number, ripe: number): string {
  const counts = 'counts: { event: tool.before, command: work }'
  return `
gates:
  budget:
    initial: open
    ${counts}
    transitions:
      - { id: spent, from: open, to: closed, when: { since: { opened: { operations: ${work} } } } }
      - { id: reset, from: closed, to: open, when: { event: tool.before, command: deploy } }
    rules:
      - { id: w, while: closed, when: { event: tool.before, command: work, gate: { extra: closed } }, then: deny, message: Spent. }
  extra:
    initial: closed
    ${counts}
    transitions:
      - { id: more, from: closed, to: open, when: { event: tool.before, command: extend, gate: { budget: closed, first: open } } }
      - { id: over, from: open, to: closed, when: { since: { opened: { operations: ${more} } } } }
  first:
    initial: open
    transitions:
      - { id: used, from: open, to: closed, when: { event: tool.before, command: extend, gate: { budget: closed } } }
      - { id: again, from: closed, to: open, when: { event: tool.before, command: deploy } }
  ripe:
    initial: closed
    ${counts}
    transitions:
      - { id: ripens, from: closed, to: open, when: { since: { closed: { operations: ${ripe} } } } }
      - { id: done, from: open, to: closed, when: { event: tool.before, command: deploy } }
    rules:
      - { id: d, while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Not ripe. }
`
}

/** Four checks, each valid for so many calls; a push needs all of them. */
const checks = (calls: number): string =>
  `gates:${[1, 2, 3, 4]
    .map(
      one => `
  check-${one}:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.before, command: make check-${one} } }
      - { from: open, to: closed, when: { since: { opened: { operations: ${calls} } } } }
    rules: [{ while: closed, when: { event: tool.before, command: git push }, then: deny, message: Run make check-${one}. }]`,
    )
    .join('')}`

/** Steps of a release, and a review after so many calls that makes all of them due again. */
const pipeline = (calls: number, reset: string): string =>
  `gates:
  review:
    initial: open
    transitions:
      - { from: open, to: closed, when: { since: { opened: { operations: ${calls} } } } }
      - { from: closed, to: open, when: { event: tool.after, command: make review, succeeded: [true, unknown] } }
    rules: [{ while: closed, when: { event: tool.before, command: make release }, then: deny, message: Review first. }]
${[
  ['test', 'build'],
  ['build', 'stage'],
  ['stage', 'release'],
]
  .map(
    ([step, next]) => `  ${step}-done:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: make ${step}, succeeded: [true, unknown] } }
      - { from: open, to: closed, when: { ${reset} } }
    rules: [{ while: closed, when: { event: tool.before, command: make ${next} }, then: deny, message: Run make ${step} first. }]
`,
  )
  .join('')}`

/** Two soaks in a window. */
const soaks = (window: number, soak: number): string => `
gates:
  window:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.before, command: start } }
      - { from: open, to: closed, when: { since: { opened: { operations: ${window} } } } }
    rules: [{ while: closed, when: { event: tool.before, command: [next, deploy] }, then: deny, message: Start a window. }]
  soak-a:
    initial: closed
    transitions:
      - { from: [open, closed], to: closed, when: { event: tool.before, command: start } }
      - { from: closed, to: open, when: { since: { closed: { operations: ${soak} } } } }
    rules: [{ while: closed, when: { event: tool.before, command: next }, then: deny, message: Let it soak. }]
  soak-b:
    initial: closed
    transitions:
      - { from: [open, closed], to: closed, when: { event: tool.before, command: [start, next] } }
      - { from: closed, to: open, when: { since: { closed: { operations: ${soak} } } } }
    rules: [{ while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Let it soak again. }]
  started:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.before, command: next } }
      - { from: open, to: closed, when: { gate: { window: closed } } }
    rules: [{ while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Next comes first. }]
`

/** A checkpoint after so many calls at the latest, and a deploy so many calls after one. */
const checkpoint = (latest: number, settled: number): string => `
gates:
  checkpoint:
    initial: open
    transitions:
      - { from: open, to: closed, when: { since: { opened: { operations: ${latest} } } } }
      - { from: [open, closed], to: open, when: { event: tool.before, command: make checkpoint } }
    rules:
      - { while: closed, when: { event: tool.before }, unless: { command: make checkpoint }, then: deny, message: Run make checkpoint. }
  settled:
    initial: closed
    transitions:
      - { from: [open, closed], to: closed, when: { event: tool.before, command: make checkpoint } }
      - { from: closed, to: open, when: { since: { closed: { operations: ${settled} } } } }
    rules: [{ while: closed, when: { event: tool.before, command: deploy }, then: deny, message: So soon after a checkpoint. }]
`

/** Quiet for a minute: every call begins anew. */
const quiet = `
gates:
  quiet:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { since: { closed: { seconds: 60 } } } }
      - { from: [open, closed], to: closed, when: { event: tool.before } }
    rules: [{ while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Wait a minute. }]
`

describe('counts that add up are played with their own numbers', () => {
  it.each([
    [3, 2, 6],
    [50, 20, 75],
    [10, 3, 14],
  ])('a budget of %i and %i more are less than %i: it is found', (...numbers) => {
    expect(found(proofs(budget(...numbers), everybody)).findings).toContain('deadlock ripe')
  })

  it.each([
    [3, 2, 4],
    [50, 40, 75],
    [10, 4, 14],
  ])('a budget of %i and %i more are enough for %i: it is proven', (...numbers) => {
    const proof = proofs(budget(...numbers), everybody)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it.each([
    ['four checks, each valid for 25 calls', checks(25)],
    ['four checks, each valid for just so many calls', checks(4)],
    ['a pipeline, and a review every 50 calls that resets it', pipeline(50, 'gate: { review: closed }')],
    ['a pipeline whose steps each last 50 calls', pipeline(50, 'since: { opened: { operations: 50 } }')],
    ['two soaks of 6 calls in a window of 20', soaks(20, 6)],
    ['a deploy 20 calls after a checkpoint, and one after 50 at the latest', checkpoint(50, 20)],
    ['a deploy after a minute in which nothing was called', quiet],
  ])('%s: it is proven', (_, policy) => {
    const proof = proofs(policy, everybody)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it.each([
    ['four checks, each valid for three calls', checks(3)],
    ['two soaks of 12 calls in a window of 20', soaks(20, 12)],
    ['a deploy 50 calls after a checkpoint, and one after 20 at the latest', checkpoint(20, 50)],
  ])('%s: it is found', (_, policy) => {
    expect(found(proofs(policy, everybody)).findings.filter(one => one.startsWith('deadlock'))).not.toEqual([])
  })

  it('a story of many calls is played as long as it is', () => {
    const [first] = proofs(budget(50, 20, 75)).findings
    expect(
      first?.counterexample.filter(line => line.step.call?.shorthand.shell === 'work').length,
    ).toBeGreaterThanOrEqual(50)
  })
})

/** A review every so many calls, and a commit after so many writes: the spawn of an agent counts for one of them only. */
const reviewAndCommit = (calls: number, writes: number, counts: string): string => `gates:
  review:
    initial: open
    transitions:
      - { from: open, to: closed, when: { since: { opened: { operations: ${calls} } } } }
      - { from: closed, to: open, when: { event: agent.stop, agent: reviewer } }
    rules: [{ while: closed, when: { action: [write, delete] }, unless: { caller: reviewer }, then: deny, message: Review. }]
  commit:
    initial: open
    counts: ${counts}
    transitions:
      - { from: open, to: closed, when: { since: { opened: { operations: ${writes} } } } }
      - { from: closed, to: open, when: { event: tool.after, command: git commit, succeeded: [true, unknown] } }
    rules: [{ while: closed, when: { action: write }, then: deny, message: Commit. }]
`

describe('a gate that counts only some calls', () => {
  it('does not count the spawn of the agent that works then: a review every 50 calls, a commit after 20 writes', () => {
    const proof = proofs(reviewAndCommit(50, 20, '{ action: write }'), everybody)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
    expect(proof.states).toBeLessThan(2000)
  })

  it.each(['{ action: spawn }', '{ event: agent.start }'])('counts it where it says so: %s', counts => {
    const alone = reviewAndCommit(50, 1, counts).replace(
      'action: write }, then: deny, message: Commit',
      'caller: agent, action: write }, then: deny, message: Commit',
    )
    const proof = proofs(`${alone}  main:
    rules:
      - { when: { caller: main, action: write }, then: deny, message: Agents write. }
      - { when: { caller: agent, action: run }, then: deny, message: Agents run nothing. }
  wait:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: agent.start } }
      - { from: closed, to: open, when: { event: agent.stop } }
    rules: [{ while: closed, when: { caller: main }, then: deny, message: Wait for the agent. }]
`)
    expect(isProven(proof)).toBe(false)
  })
})

describe('what was open for a while is not open for good', () => {
  it('a gate that another one keeps open closes with it', () => {
    const policy = `gates:
  x:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: x-on, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, command: h-on } }
  g:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: g-on, succeeded: true, gate: { x: open } } }
      - { from: open, to: closed, when: { gate: { x: closed }, since: { opened: { operations: 1 } } } }
    rules: [{ while: closed, when: { command: deploy }, then: deny, message: g-on first. }]
  h:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: h-on, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, command: x-on } }
    rules: [{ while: closed, when: { command: deploy }, then: deny, message: h-on first. }]
`
    const proof = proofs(policy, ['claude-code'])
    expect(isProven(proof)).toBe(false)
  })

  it('a gate that is open only while a call runs is no way out', () => {
    const policy = `gates:
  g:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: agent.stop, agent: reviewer } }
      - { from: open, to: closed, when: { event: tool.after, tool: Agent } }
    rules: [{ while: closed, when: { caller: main, action: write }, then: deny, message: The reviewer first. }]
`
    const proof = proofs(policy, ['claude-code'])
    expect(isProven(proof)).toBe(false)
  })
})
