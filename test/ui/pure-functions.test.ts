import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { DecisionRow, LiveGateState, PlaygroundVerdict } from '../../src/app/dashboard/api.ts'
import {
  appendOlder,
  countSkipped,
  type Feed,
  feedFromPage,
  prependNewer,
  releaseWaiting,
  withCallEnds,
} from '../../ui/src/pages/feed/feed.ts'
import { toggleDecision } from '../../ui/src/pages/feed/filter.ts'
import { foldRows } from '../../ui/src/pages/feed/fold.ts'
import { Diagram } from '../../ui/src/pages/gates/diagram.tsx'
import { differencesOf } from '../../ui/src/pages/playground/difference.ts'
import { timeScale } from '../../ui/src/pages/sessions/time-scale.ts'
import { movesText, moveTextOfGate } from '../../ui/src/words/move.ts'
import { formatMs, formatPercent } from '../../ui/src/words/number.ts'
import { protectionText } from '../../ui/src/words/protection.ts'
import { formatHoursAndMinutes, formatInLargestUnit } from '../../ui/src/words/time.ts'

const row = (n: number, what = `line ${n}`): DecisionRow => ({
  ...{ n, at: n, outcome: 'pass', decision: 'pass', client: 'c', session: 's', caller: 'main' },
  ...{ event: 'tool.before', what, errors: 0, moves: [] },
})
const page = (rows: readonly DecisionRow[], before: number | null) => ({
  ...{ rows, before, last: rows[0]?.n ?? 0, searched: rows.length, unreadable: [] },
})
const numbers = (rows: readonly DecisionRow[]): readonly number[] => rows.map(one => one.n)

describe('the feed', () => {
  it('folds what is said again and again, but for the one that is open', () => {
    const rows = [row(6, 'b'), row(5, 'a'), row(4, 'a'), row(3, 'a'), row(2, 'b')]
    const told = (open?: number) => foldRows(rows, open).map(one => [one.row.n, one.times, one.oldest])
    expect(told()).toEqual([
      [6, 1, 6],
      [5, 3, 3],
      [2, 1, 2],
    ])
    expect(told(4)).toEqual([
      [6, 1, 6],
      [5, 1, 5],
      [4, 1, 4],
      [3, 1, 3],
      [2, 1, 2],
    ])
  })

  it('never folds what another tool or another agent did', () => {
    const one = { ...row(1, 'a'), tool: 'A', agent: 'x' }
    for (const other of [{ tool: 'B' }, { caller: 'Explore' }, { agent: 'y' }])
      expect(foldRows([{ ...one, n: 2, ...other }, one], undefined)).toHaveLength(2)
    expect(foldRows([{ ...one, n: 2 }, one], undefined)).toHaveLength(1)
  })

  it('holds back what comes while somebody looks, takes nothing twice, and goes on where it was', () => {
    const first = feedFromPage(page([row(3), row(2)], 2))
    const held = prependNewer(first, [row(3), row(4), row(5)], 5, true)
    expect([numbers(held.rows), numbers(held.pending), held.last]).toEqual([[3, 2], [5, 4], 5])
    const again = prependNewer(held, [row(5), row(6)], 6, true)
    expect(numbers(again.pending)).toEqual([6, 5, 4])
    const shown = releaseWaiting(again)
    expect([numbers(shown.rows), shown.pending, shown.before]).toEqual([[6, 5, 4, 3, 2], [], 2])
    expect(appendOlder(shown, page([row(1)], null))).toMatchObject({ before: null, last: 6 })
  })

  it('takes what comes twice at once only once, and what comes late to its place, waiting or shown', () => {
    const first = feedFromPage(page([row(4), row(3)], 3))
    // the stream and a request bring the same
    const twice = [row(5), row(6), row(6), row(5)]
    expect(numbers(prependNewer(first, twice, 6, false).rows)).toEqual([6, 5, 4, 3])
    expect(prependNewer(first, twice, 6, true)).toMatchObject({ waiting: 2, last: 6 })
    // the request is answered after newer rows have come
    const late = (isPaused: boolean) =>
      prependNewer(prependNewer(first, [row(9)], 9, isPaused), [row(7), row(6), row(9)], 7, isPaused)
    expect([numbers(late(false).rows), late(false).last]).toEqual([[9, 7, 6, 4, 3], 9])
    expect([numbers(late(true).pending), numbers(late(true).rows)]).toEqual([
      [9, 7, 6],
      [4, 3],
    ])
    expect(numbers(releaseWaiting(late(true)).rows)).toEqual([9, 7, 6, 4, 3])
    // what lies before the oldest one is loaded as one scrolls down
    expect(numbers(prependNewer(first, [row(2)], 4, false).rows)).toEqual([4, 3])
  })

  it('takes in how calls ended, also of those that wait; a call that failed is not folded with one that did not', () => {
    const held = prependNewer(feedFromPage(page([row(2, 'a'), row(1, 'a')], null)), [row(3, 'a')], 3, true)
    const told = withCallEnds(held, [
      { n: 3, ended: 'failed' },
      { n: 1, ended: 'ok' },
      { n: 77, ended: 'ok' },
    ])
    expect([told.rows, told.pending].map(rows => rows.map(({ ended }) => ended))).toEqual([
      [undefined, 'ok'],
      ['failed'],
    ])
    expect(foldRows(releaseWaiting(told).rows, undefined)).toHaveLength(3)
    expect(withCallEnds(held, [{ n: 77, ended: 'ok' }])).toBe(held)
  })

  it('keeps 5,000 lines, and knows where the rest begins', () => {
    const many = Array.from({ length: 6000 }, (_, n) => row(n + 11))
    const told = ({ rows, before }: Feed) => [rows.length, rows[0]?.n, rows.at(-1)?.n, before]
    const full = feedFromPage(page([row(10), row(9)], 9))
    const cut = [5000, 6010, 1011, 1011]
    expect(told(prependNewer(full, many, 6010, false))).toEqual(cut)
    // while somebody looks, nothing moves
    const held = prependNewer(prependNewer(full, many.slice(0, 5990), 6000, true), many, 6010, true)
    expect([told(held), told(releaseWaiting(held))]).toEqual([[2, 10, 9, 9], cut])
    // and the count is of all that came
    expect([held.waiting, held.pending.length, releaseWaiting(held).waiting]).toEqual([6000, 5000, 0])
  })

  it('leaves no gap where some were more arrived too fast: they are read again as one scrolls down', () => {
    const first = feedFromPage(page([row(3), row(2)], 2))
    const over = countSkipped(prependNewer(first, [row(4)], 4, true), 100, 104)
    expect([numbers(over.rows), over.waiting, over.skipped]).toEqual([[3, 2], 0, 101])
    expect(releaseWaiting(over)).toBe(over)
    const next = prependNewer(over, [row(105), row(106)], 106, false)
    expect([numbers(next.rows), next.before, next.skipped]).toEqual([[106, 105], 105, 0])
    // one of the skipped rows that a request brings late would leave a gap behind it
    expect(prependNewer(over, [row(50)], 50, false)).toMatchObject({ rows: over.rows, pending: [], last: 104 })
  })

  it('has a word in or out; none is all of them', () => {
    expect([
      toggleDecision(new Set(), 'deny'),
      toggleDecision(new Set(['deny']), 'ask'),
      toggleDecision(new Set(['deny']), 'deny'),
    ]).toEqual(['deny', 'deny,ask', undefined])
  })
})

describe('a timeline', () => {
  it('is in proportion where there was work, and folds pauses', () => {
    const minute = 60_000
    const { at, pauses } = timeScale([0, minute, 2 * minute, 602 * minute, 604 * minute], 5)
    const places = [0, minute, 2 * minute, 602 * minute, 604 * minute].map(time => Math.round(at(time) * 100))
    expect(places).toEqual([0, 24, 48, 52, 100])
    expect(pauses.map(one => one.ms)).toEqual([600 * minute])
  })

  it('of one moment is no trouble', () => {
    const { at, ticks } = timeScale([5], 3)
    expect([at(5), ticks.map(one => one.time)]).toEqual([0, [5, 5, 5]])
    expect(timeScale([], 2).at(1)).toBe(0)
  })
})

describe('the drawing of a gate', () => {
  const live = (session: string, state: 'open' | 'closed'): LiveGateState => ({
    ...{ client: 'claude-code', session, state, changedAt: null, seenAt: 1, operations: 0 },
  })
  const STATES = [
    { state: 'closed', lines: ['says `x`'] },
    { state: 'open', lines: [] },
  ] as const
  const MOVES = [
    { id: 'green', from: ['closed', 'open'], to: 'open', when: "command 'npm test'" },
    { id: 'edit', from: ['open'], to: 'closed', when: 'a write' },
  ] as const
  const draw = (sessions: readonly LiveGateState[]): string =>
    renderToStaticMarkup(createElement(Diagram, { name: 'g', states: STATES, moves: MOVES, live: sessions }))

  it('names who is in a state, and lets nobody draw', () => {
    const drawn = draw([live('abc', 'closed'), live('<b>x', 'open')])
    expect(drawn).toMatch(
      /<div class="node here"><b>closed<\/b>.*claude <span class="mono">abc<.*<div class="node here"/,
    )
    expect(drawn).toContain('&lt;b&gt;x')
    expect(drawn).not.toContain('<b>x')
    expect(draw([])).not.toContain('here')
  })

  it('names at most four sessions in a state', () => {
    const many = Array.from({ length: 6 }, (_, nth) => live(`s${nth}`, 'closed'))
    expect(draw(many)).toMatch(/s3<.*and 2 more/)
    expect(draw(many)).not.toContain('s4<')
  })

  it('has what its rules say in the state, and each transition once: between the states or in the one it stays in', () => {
    const drawn = draw([])
    expect(drawn).toContain('<p>says <code>x</code></p>')
    expect(drawn.match(/data-way="(on|back)"/g)).toEqual(['data-way="on"', 'data-way="back"'])
    expect(drawn).toContain('stays open: green')
  })
})

it('numbers and spans are said shortly', () => {
  expect([
    formatMs(0.84),
    formatMs(12.4),
    formatMs(1432),
    formatMs(null),
    formatPercent(0.0312),
    formatPercent(0.5),
    formatPercent(null),
  ]).toEqual([...['0.8 ms', '12 ms', '1.4 s', '–', '3.1 %', '50 %', '–']])
  expect([
    formatInLargestUnit(400),
    formatInLargestUnit(59_000),
    formatInLargestUnit(7_200_000),
    formatHoursAndMinutes(3_840_000),
    formatHoursAndMinutes(2 * 86_400_000),
  ]).toEqual([...['0 s', '59 s', '2 h', '1 h 4 min', '2 d']])
})

describe('what a decision moved', () => {
  const moves = [
    { gate: 'project/tested', from: 'open', to: 'closed' },
    { gate: 'project/planned', from: 'closed', to: 'open' },
  ] as const

  it('is said in the words of the log, but for what the word of the row says', () => {
    expect(movesText({ outcome: 'pass', moves })).toBe('closes tested, opens planned')
    expect(movesText({ outcome: 'closes', moves })).toBe('opens planned')
    expect(movesText({ outcome: 'pass', moves: [] })).toBe('')
    expect([
      moveTextOfGate({ outcome: 'warn', moves }, 'project/tested'),
      moveTextOfGate({ outcome: 'warn', moves }, 'project/other'),
    ]).toEqual(['closes', undefined])
  })

  it('keeps two rows apart that are alike but for it', () => {
    expect(foldRows([{ ...row(2, 'a'), moves }, row(1, 'a')], undefined)).toHaveLength(2)
  })
})

describe('a draft beside the policy', () => {
  const gate = (id: string, more: object = {}) => ({
    ...{ gate: `project/${id}`, name: id, layer: 'project', mode: 'block', verdict: 'deny', transitions: [] },
    ...{ rules: [{ rule: 'r', decision: 'deny', result: 'fires' }], ...more },
  })
  const judged = (gates: readonly object[], more: object = {}) =>
    ({
      decision: 'deny',
      explained: [{ decision: 'deny', reason: 'No.', gates, ...more }],
    }) as unknown as PlaygroundVerdict

  it('is the same only where mode, answer, state, rules and words are', () => {
    const now = judged([gate('a'), gate('b')])
    expect(differencesOf(now, judged([gate('a'), gate('b')]))).toEqual([])
    expect(differencesOf(now, judged([gate('a', { mode: 'observe' }), gate('b')]))).toEqual([
      '`a`: mode block → observe',
    ])
    expect(
      differencesOf(
        now,
        judged([gate('a'), gate('b', { verdict: 'ask', rules: [{ rule: 'r', decision: 'ask', result: 'fires' }] })]),
      ),
    ).toEqual(['`b`: answer deny → ask, rule r deny → ask'])
    expect(differencesOf(now, judged([gate('a')]))).toEqual(['`b` is not in the draft'])
    expect(differencesOf(now, judged([gate('a'), gate('b'), gate('c')]))).toEqual(['`c` is new'])
    expect(
      differencesOf(now, judged([gate('a', { state: 'open', stateBefore: 'closed', stateAfter: 'open' }), gate('b')])),
    ).toEqual(['`a`: state none → closed to open'])
    expect(differencesOf(now, judged([gate('a', { rules: [] }), gate('b')]))).toEqual(['`a`: rule r is gone'])
    expect(differencesOf(now, judged([gate('a'), gate('b')], { reason: 'Not now.' }))).toEqual([
      'the agent gets another message',
    ])
  })
})

it.each([
  [0, 0, 0, 'no gates'],
  [1, 0, 0, '1 of 1 gate blocks'],
  [5, 0, 0, '5 of 5 gates block'],
  [5, 2, 1, '3 of 5 gates block, 1 warns, 1 observes'],
  [4, 3, 0, '1 of 4 gates blocks, 3 warn'],
  [2, 2, 2, '0 of 2 gates block, 2 observe'],
])('of %i gates, %i that do not block and %i that observe: %s', (gates, watching, observing, says) =>
  expect(protectionText({ gates, watching, observing })).toBe(says),
)
