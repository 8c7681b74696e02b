import { describe, expect, it } from 'vitest'
import { isProven, type VerificationResult } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const proofs = (policy: string): VerificationResult =>
  withPolicies((load, root) =>
    proofOf(load(policy), root, { clients: clients.filter(one => one.id === 'claude-code') }),
  )
const doubtsOf = (policy: string) => {
  const proof = proofs(policy)
  expect(proof.findings.map(one => one.what)).toEqual([])
  expect(isProven(proof)).toBe(proof.inconclusive.length === 0)
  return proof.inconclusive.map(one => one.inconclusiveReason)
}

const upTo = (many: number): readonly number[] => Array.from({ length: many }, (_, nth) => nth + 1)

/**
 * Gates with what closes them. Each refuses what closes the others, and what opens the one before it. What opens one does so only
 * some calls later: then it counts which states there are.
 */
const rivals = (event: string, ...closings: readonly (readonly string[])[]): string =>
  `gates:\n${closings
    .map((own, nth) => {
      const others = closings.flatMap((list, at) => (at === nth ? [] : list)).map(one => `{ ${one} }`)
      const closes = own.map(
        (one, at) => `      - { id: c${at}, from: open, to: closed, when: { event: ${event}, ${one} } }\n`,
      )
      return `  g${nth}:
    initial: open
    transitions:
${closes.join('')}      - { id: o, from: closed, to: open, when: { event: tool.before, command: o${nth}, since: { closed: { operations: 1 } } } }
    rules:
      - { id: r, while: closed, when: { any: [${others.join(', ')}, { command: o${nth - 1} }] }, then: deny, message: o${nth} first }
`
    })
    .join('')}`
const commands = (...names: readonly string[]): readonly string[] => names.map(name => `command: ${name}`)
const tools = (...names: readonly string[]): readonly string[] => names.map(name => `tool: mcp__a__${name}`)

describe('what is left out of the search is told, and then it is no proof', () => {
  it.each([
    ['lines of two, all tried', rivals('tool.before', commands('a'), commands('b')), []],
    [
      'lines of up to six things',
      rivals('tool.before', commands('a', 'b', 'c', 'd', 'e'), commands('f')),
      ['of 57 lines with several actions, only 6 were tried'],
    ],
    ['two calls at once', rivals('tool.after', tools('a'), tools('b')), []],
    [
      'three calls at once',
      rivals('tool.after', tools('a'), tools('b'), tools('c')),
      ['three concurrent calls were not explored'],
    ],
    [
      "an agent's call that goes on",
      rivals('tool.after', ['tool: mcp__a__a, caller: worker'], ['tool: mcp__a__b, caller: worker']),
      ['calls of agents that keep running were not explored'],
    ],
    [
      'more calls that may go on than are tried',
      rivals('tool.after', tools('a', 'b', 'c', 'd', 'e', 'f'), tools('g')),
      ['of 7 calls that may keep running, only 6 were tried'],
    ],
  ])('%s', (_, policy, wanted) => {
    expect(doubtsOf(policy)).toEqual(wanted)
  })
})

describe('values of a pattern', () => {
  const opened = (when: string, ...rules: string[]): string => `
gates:
  g:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: ${when} }]
    rules: [{ id: r, while: closed, when: { command: git commit }, then: deny, message: Not yet. }]
  other:
    rules:
${rules.map((rule, nth) => `      - { id: t${nth}, ${rule}, then: deny, message: Not so. }`).join('\n')}
`
  const words = (many: number, word: (nth: number) => string): string => `[${upTo(many).map(word).join(', ')}]`
  const two = '{ event: tool.before, command: "make * *" }'

  it('two words of a command, each as another pattern has it', () => {
    const both = opened(
      two,
      'when: { command: make }, unless: { command: "make all *" }',
      'when: { command: make }, unless: { command: "make * fast" }',
    )
    expect(doubtsOf(both)).toEqual([])
  })

  it('too many of them', () => {
    const places = ['w * *', '* w *', '* * w'].flatMap(place => {
      const each = (many: number): string => words(many, nth => `make ${place.replace('w', `w${nth}`)}`)
      return [`when: { command: make }, unless: { command: ${each(5)} }`, `when: { command: ${each(4)} }`]
    })
    const many = opened('{ event: tool.before, command: "make * * *" }', ...places)
    expect(doubtsOf(many)).toEqual([expect.stringMatching(/^not every `command`/)])
  })

  it('too many exemptions for what moves a gate', () => {
    const filler = upTo(25).map(
      nth => `when: { tool: mcp__x__t${nth} }, unless: { input: { field${nth}: { regex: "^[a-z]+$" } } }`,
    )
    const movers = upTo(25).map(
      nth => `  h${nth}:
    initial: open
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.before, tool: mcp__y__t${nth} } }]
`,
    )
    const rule = 'when: { tool: "mcp__tracker__*" }, unless: { input: { ticket: { regex: "^PRJ-[0-9]{4}$" } } }'
    const small = opened('{ event: tool.before, tool: "mcp__tracker__*" }', rule)
    const large = opened('{ event: tool.before, tool: "mcp__tracker__*" }', ...filler, rule)
    expect(doubtsOf(small)).toEqual([])
    expect(doubtsOf(large.replace('gates:\n', `gates:\n${movers.join('')}`))).toEqual([
      expect.stringMatching(/^not every `.*could be tried, and another call may be allowed$/),
    ])
  })
})
