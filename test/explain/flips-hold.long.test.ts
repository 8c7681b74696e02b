import { describe, expect, it, vi } from 'vitest'
import { stringify } from 'yaml'
import { policyOf as randomPolicy, themeOf } from '../check/generator.ts'
import { FlipTally } from './play-flips.ts'
import { shownPolicies } from './policies-of-docs.ts'

/** A policy of two gates and a rule about callers, the `nth` of many. */
function policyOf(nth: number): string {
  const pick = <T>(list: readonly T[], at: number): T => list[Math.floor(nth / 3 ** at + at) % list.length] as T
  const opener = (at: number): string =>
    pick(
      [
        '{ event: tool.failed, command: make a }',
        '{ event: tool.after, any: [{ command: make b }, { command: make a, succeeded: true }] }',
        '{ event: tool.after, command: make a, succeeded: false }',
        '{ event: agent.stop, agent: reviewer }',
        '{ event: agent.stop, agent: [reviewer, builder] }',
      ],
      at,
    )
  const closer = (at: number): string =>
    pick(
      [
        '{ event: tool.after, command: make b }',
        '{ event: tool.before, action: spawn, agent: builder }',
        '{ event: tool.before, action: write }',
      ],
      at,
    )
  const capture =
    nth % 4 === 1
      ? 'capture: { v: { json: { type: object, required: [verdict], properties: { verdict: { enum: [approve] } } } } }, '
      : ''
  const gate = (name: string, at: number) => `  ${name}:
    initial: closed
    transitions:
      - { from: closed, to: open, ${at === 0 ? capture : ''}when: ${opener(at)} }
      - { from: open, to: closed, when: ${closer(at + 1)} }
    rules:
      - { while: closed, when: { event: tool.before, command: git push${pick(['', ', caller: main', ', caller: builder'], at)} }, then: deny, message: ${name} }
`
  const asks = nth % 2 ? '      - { when: { event: tool.before, command: make }, then: ask, message: sure? }\n' : ''
  const named =
    nth % 3
      ? '      - { when: { event: tool.before, command: git push, caller: builder }, then: deny, message: not you }\n'
      : ''
  const rules = asks + named
  return `gates:\n${gate('one', 0)}${nth % 2 ? gate('two', 2) : ''}${rules && `  more:\n    rules:\n${rules}`}`
}

/** Time passes only where a flip says so. */
async function tallied(play: (tally: FlipTally) => Promise<void>): Promise<FlipTally> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 15, 8) })
  try {
    const tally = new FlipTally()
    await play(tally)
    process.stdout.write(
      `${tally.played} flips played, ${tally.failed.length} failed, ${tally.unread.length} not read\n`,
    )
    return tally
  } finally {
    vi.useRealTimers()
  }
}

describe('every flip holds when it is played through the hook', () => {
  it('of two gates and a rule about callers', async () => {
    const { failed, unread, played } = await tallied(async tally => {
      for (let nth = 0; nth < 40; nth += 1) await tally.play(policyOf(nth * 7 + 1), 'git push', `${nth}`)
    })
    expect({ failed, unread }).toEqual({ failed: [], unread: [] })
    expect(played).toBeGreaterThan(24)
  })

  /** `FLIP_POLICIES=1000 FLIP_FIRST=5000` for a longer walk. */
  const MANY = Number(process.env.FLIP_POLICIES ?? 44)
  const FIRST = Number(process.env.FLIP_FIRST ?? 0)
  const EVENTS = [
    'alpha',
    'beta',
    'gamma',
    'delta',
    'write: src/a.ts',
    'write: docs/a.md',
    'spawn: scout',
    'stop: true',
  ]

  /** Of a policy that people are shown: its own ones come first. `FLIP_EVENTS=100` plays all. */
  const EVENTS_OF_EACH = Number(process.env.FLIP_EVENTS ?? 2)

  it(`of ${MANY} random policies`, { timeout: 3_600_000 }, async () => {
    const { failed, unread, played } = await tallied(async tally => {
      for (let seed = FIRST; seed < FIRST + MANY; seed += 1)
        for (const event of EVENTS) await tally.play(stringify(randomPolicy(seed)), event, `${seed} (${themeOf(seed)})`)
    })
    expect({ failed, unread }).toEqual({ failed: [], unread: [] })
    expect(played).toBeGreaterThan(MANY)
  })

  it('of every policy that people are shown', { timeout: 3_600_000 }, async () => {
    const { failed, unread, played } = await tallied(async tally => {
      for (const { name, policy, events } of shownPolicies())
        for (const event of events.slice(0, EVENTS_OF_EACH)) await tally.play(policy, event, name)
    })
    expect({ failed, unread }).toEqual({ failed: [], unread: [] })
    expect(played).toBeGreaterThan(100)
  })
})
