import { describe, expect, it } from 'vitest'
import { describeStep, isProven } from '../../src/analysis/verify/index.ts'
import { proofs } from './policies.ts'

/** A turn that ends only once the field is as wanted, and nobody can have it captured again. */
const captured = (x: string, wanted: string): string => `
gates:
  review:
    initial: closed
    transitions:
      - { id: o, from: closed, to: open, when: { event: agent.stop, agent: reviewer }, capture: { d: { json: { type: object, required: [x], properties: { x: ${x} } } } } }
    rules: [{ id: u, while: closed, when: { command: git push }, then: deny, message: Spawn reviewer. }]
  fixed:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.after, command: npm test, captured: { review.d.x: ${wanted} } } }]
    rules: [{ id: t, while: closed, when: { event: turn.stop, gate: { review: open } }, then: deny, message: Run npm test. }]
`
const kinds = (policy: string): readonly string[] => [...new Set(proofs(policy).findings.map(one => one.kind))]

describe('what is captured is tried in every way the policy tells apart', () => {
  it.each([
    ['a number beside a list', '{ type: integer }', '[0, 1, 2]'],
    ['a fraction between', '{ type: number, minimum: 0, maximum: 1 }', '[0, 1]'],
    ['nothing', "{ type: [string, 'null'] }", "{ regex: '.' }"],
    ['a word that no branch has', '{ type: string }', "{ regex: '^(some|none)' }"],
    ['other letters', '{ type: string, minLength: 1 }', "{ regex: '^[a-z ]+$' }"],
    ['an empty text', '{ type: string }', "{ regex: '^.+$' }"],
    ['anything at all', '{}', "{ regex: '.' }"],
    ['a long text', '{ type: string, minLength: 1 }', "{ regex: '^.{1,20}$' }"],
    ['several lines', '{ type: string }', "{ regex: '^.*$' }"],
    ['a word beside all that come to mind', '{ type: string, minLength: 1 }', '[none, some, other, a]'],
    ['another case', '{ enum: [yes, YES] }', '"yes"'],
  ])('%s', (_, x, wanted) => expect(kinds(captured(x, wanted))).toEqual(['deadlock', 'cannot-end']))

  it.each([
    ['each of an enum', '{ enum: [low, high] }', '[low, high]'],
    ['both truths', '{ type: boolean }', '[true, false]'],
    ['each number of a range', '{ type: integer, minimum: 0, maximum: 2 }', '[0, 1, 2]'],
    ['what is not blank', '{ type: string, minLength: 1 }', "{ regex: '\\S' }"],
  ])('and is enough where it is all that the schema allows: %s', (_, x, wanted) =>
    expect(isProven(proofs(captured(x, wanted)))).toBe(true),
  )

  it.each([
    ['a regex that is not understood', '{ type: string }', "{ regex: '^|\\bx' }"],
    ['a list', '{ type: array }', "{ regex: '^\\[' }"],
  ])('is not certain with %s', (_, x, wanted) => {
    const { findings, inconclusive } = proofs(captured(x, wanted))
    expect(findings).toEqual([])
    expect(inconclusive.map(one => one.inconclusiveReason)).toContainEqual(
      expect.stringContaining('`captured.review.d.x`'),
    )
  })
})

/** Whoever is named is to be spawned. */
const routed = (next: string, more = ''): string => `
gates:
  routed:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: agent.stop, agent: router }, capture: { d: { json: { type: object, required: [next], properties: { next: ${next} } } } } }
    rules: [{ id: r, while: closed, when: { action: write }, then: deny, message: Router first., suggest: { agent: router } }]
  follow:
    initial: closed
    transitions: [{ id: done, from: closed, to: open, when: { event: agent.stop, agent: "{routed.d.next}" } }]
    rules: [{ id: must, while: closed, when: { event: turn.stop, gate: { routed: open } }, then: deny, message: Spawn it. }]
${more}`
const TEAM = (names: string): string =>
  `  team: { rules: [{ id: known, when: { action: spawn }, unless: { agent: [${names}] }, then: deny, message: We have these. }] }`

describe('who is named by a capture', () => {
  it('may be nobody', () => {
    const { findings } = proofs(routed('{ type: string }'))
    expect(findings[0]?.counterexample.map(({ step }) => describeStep(step))).toContain('router stops with {"next":""}')
  })
  it('may be anybody, and then there is a way', () =>
    expect(isProven(proofs(routed('{ type: string, minLength: 1 }')))).toBe(true))
  it.each(['router, builder, tester', 'router, builder, tester, some', 'router, some-agent'])(
    'may be none of %s, and no fix puts a made-up name into the policy',
    names => {
      const { findings } = proofs(routed('{ type: string, minLength: 1 }', TEAM(names)))
      expect(findings.map(one => one.kind)).toContain('deadlock')
      const advice = findings.flatMap(one => one.fix.map(({ advice: said }) => said.replace(/^[^`]*`[^`]*`/, '')))
      expect(advice.filter(one => /agent: some(-|\b)/.test(one))).toEqual([])
    },
  )
})

describe('a rule about prompts is tried with every kind of prompt', () => {
  it.each([
    ['"some"'],
    ["{ regex: '[A-Z]+-[0-9]+|[a-z]{4,}' }"],
    ["{ regex: '^.{4,}' }"],
    ["{ regex: '\\w+ \\w+' }"],
    ['["something else", "go on", "hello"]'],
  ])('unless it is %s', prompt =>
    expect(
      proofs(`
gates:
  t: { rules: [{ id: r, when: { event: prompt.submit, source: user }, unless: { prompt: ${prompt} }, then: deny, message: Say more. }] }
`),
    ).toMatchObject({ findings: [], unchecked: [] }),
  )

  it('and with what several rules ask for at once', () =>
    expect(
      proofs(`
gates:
  ticket:
    rules:
      - { id: t, when: { event: prompt.submit, source: user }, unless: { prompt: { regex: '[A-Z]+-[0-9]+' } }, then: deny, message: Name a ticket. }
      - { id: v, when: { event: prompt.submit, source: user, prompt: prod }, unless: { prompt: please }, then: warn, message: Say please. }
`).findings,
    ).toEqual([]))

  it('and is not judged where its regex is not understood', () => {
    const { findings, unchecked } = proofs(`
gates:
  t: { rules: [{ id: r, when: { event: prompt.submit }, unless: { prompt: { regex: '^\\b|.' } }, then: deny, message: Say more. }] }
`)
    expect({ findings, unchecked }).toEqual({ findings: [], unchecked: [expect.stringContaining('t/r')] })
  })
})
