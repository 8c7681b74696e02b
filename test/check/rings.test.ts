import { describe, expect, it } from 'vitest'
import { deduplicateFindings } from '../../src/analysis/verify/index.ts'
import { proofs } from './policies.ts'

const told = (policy: string): readonly string[] => deduplicateFindings(proofs(policy).findings).map(one => one.what)

/** Each is opened by a command that the one before it refuses. */
const ring = (many: number): string =>
  `gates:\n${Array.from(
    { length: many },
    (_, nth) => `  g${nth}:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.after, command: make t${nth}, succeeded: true } }]
    rules: [{ id: r, while: closed, when: { command: make t${(nth + 1) % many} }, then: deny, message: Not yet. }]
`,
  ).join('')}`

describe('gates that wait for each other are one story', () => {
  it('each opens only while the other is open', () => {
    const gate = (name: string, opens: string, other: string): string => `  ${name}:
    initial: closed
    transitions: [{ id: ok, from: closed, to: open, when: { event: tool.after, command: ${opens}, gate: { ${other}: open } } }]
    rules: [{ id: r, while: closed, when: { command: git ${name} }, then: deny, message: Not yet. }]
`
    const policy = `gates:\n${gate('push', 'npm test', 'tag')}${gate('tag', 'npm run lint', 'push')}`
    expect(told(policy)).toEqual(['push and tag can be closed with no way left to open them'])
  })

  it('in a ring that is longer than a story', () => {
    const names = Array.from({ length: 8 }, (_, nth) => `g${nth}`)
    const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    expect(told(ring(8))).toEqual([`${all} can be closed with no way left to open them`])
  })

  it('but not one that only waits for those in the ring', () => {
    const outside = `  late:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.after, command: make late, gate: { g0: open } } }]
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Not yet. }]
`
    expect(told(`${ring(3)}${outside}`)).toEqual([
      'g0, g1 and g2 can be closed with no way left to open them',
      'late can be closed with no way left to open it',
    ])
  })
})

describe('a rule that asks one act for what are two', () => {
  const FILE = 'an action with a `command` has no `path`: what it does to a file is a separate action'
  it.each([
    ['all: [{ command: rm }, { path: src/ }]', FILE],
    ['all: [{ command: sed -i }, { path: "*.lock" }]', FILE],
    [
      'all: [{ command: curl }, { url: "https://x.com" }]',
      'an action with a `command` has no `url`: fetching a page is a separate action',
    ],
    [
      'all: [{ command: rm }, { action: delete }]',
      'an action with a `command` is `run`: `delete` is a separate action',
    ],
    [
      'all: [{ command: cat }, { action: read }, { path: .env }]',
      'an action with a `command` is `run`: `read` is a separate action',
    ],
  ])('%s', (when, why) => {
    const { findings, unchecked } = proofs(
      `gates: { t: { rules: [{ id: r, when: { ${when} }, then: deny, message: No. }] } }\n`,
    )
    expect([findings.map(one => [one.kind, one.why]), unchecked]).toEqual([[['unreachable', why]], []])
  })

  it.each([
    'command: rm, path: src/',
    'command: curl, url: "https://x.com"',
    'command: rm, action: delete',
    'command: cat, action: read, path: .env',
  ])('%s in one mapping is the file or page that the command touches', when => {
    const { findings, unchecked } = proofs(
      `gates: { t: { rules: [{ id: r, when: { ${when} }, then: deny, message: No. }] } }\n`,
    )
    expect([findings, unchecked]).toEqual([[], []])
  })
})

it.each([
  'action: write, text: AKIA',
  'action: write, text: { regex: "AKIA[0-9A-Z]{16}" }',
  'action: write, input: { content: AKIA }',
])('a call is found for a rule that is silent in doubt: %s', when => {
  const { findings, unchecked } = proofs(
    `gates: { t: { rules: [{ id: r, when: { ${when} }, unsure: pass, then: deny, message: No. }] } }\n`,
  )
  expect([findings, unchecked]).toEqual([[], []])
})
