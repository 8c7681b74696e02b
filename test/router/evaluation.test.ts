import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INTENT_MEANINGS, INTENTS, routeRequest } from '../../src/app/orchestrate/router/index.ts'
import { calibrationError, judge, reliability, reportOf, share } from './report.ts'
import { requests, unknownRequests } from './requests.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guide/routing.md')
const BETWEEN = /(<!-- measured: [^\n]*-->\n\n)[\s\S]*?(\n\n<!-- \/measured -->)/

const held = judge('held')
const wild = held.filter(one => one.labelled.from === 'wild')
const isRight = ({ isRight: one }: (typeof held)[number]) => one

describe('the labelled requests', () => {
  it('are many, each once, and halved', () => {
    const all = [...requests, ...unknownRequests]
    expect(all.length).toBeGreaterThan(800)
    expect(new Set(all.map(one => one.request)).size).toBe(all.length)
    expect(held.length / requests.length).toBeCloseTo(0.5, 1)
    expect(wild.length).toBeGreaterThan(80)
  })

  it('have labels that there are, and every intent has some', () => {
    expect([...new Set(requests.map(one => one.intent))].sort()).toEqual([...INTENTS].sort())
    expect(requests.flatMap(one => one.also ?? []).filter(one => !INTENTS.some(intent => intent === one))).toEqual([])
  })
})

describe('in languages that no table has', () => {
  it('what is said to be sure is so: only technical terms, which are English, can be known', () => {
    const judged = unknownRequests.map(one => ({ ...one, decision: routeRequest(one.request) }))
    const sure = judged.filter(({ decision }) => decision.confidence >= 0.9)
    const right = sure.filter(({ decision, intent, also }) => [intent, also].includes(decision.intent))
    expect(right.length / sure.length).toBeGreaterThanOrEqual(0.9)
    expect(judged.filter(({ decision }) => decision.should_escalate).length).toBeGreaterThan(judged.length / 2)
  })
})

/** As measured, less what a few requests more or fewer would change. */
describe('on the half that no table was tuned on', () => {
  it('the intent is found', () => {
    const from = (source: string) => held.filter(one => one.labelled.from === source)
    expect(share(from('en'), isRight)).toBeGreaterThanOrEqual(0.9)
    expect(share(from('world'), isRight)).toBeGreaterThanOrEqual(0.95)
    expect(share(wild, isRight)).toBeGreaterThanOrEqual(0.7)
    expect(share(held, ({ decision, labelled }) => decision.complexity === labelled.complexity)).toBeGreaterThan(0.76)
    expect(share(held, ({ decision, labelled }) => decision.cloud_provider === labelled.cloud)).toBeGreaterThan(0.98)
  })

  it.each([
    ['all', held, 0.06],
    ['the words of strangers', wild, 0.13],
  ] as const)('%s: what is said to be sure is so', (_, all, most) => {
    const sure = all.filter(one => one.decision.confidence >= 0.9)
    expect(sure.length / all.length).toBeGreaterThan(0.4)
    expect(share(sure, isRight)).toBeGreaterThanOrEqual(0.9)
    expect(calibrationError(all)).toBeLessThanOrEqual(most)
  })

  it('who says less is right less often', () => {
    const rights = reliability([...held, ...judge('held', unknownRequests)]).map(({ right }) => right)
    expect(rights).toEqual([...rights].sort((a, b) => a - b))
  })

  it('what each intent means stands in the guide', () => {
    const rows = INTENTS.map(intent => `| \`${intent}\` | ${INTENT_MEANINGS[intent]} |`)
    expect(readFileSync(GUIDE, 'utf8')).toContain(rows.join('\n'))
  })

  it('where it fails stands in the guide', () => {
    const guide = readFileSync(GUIDE, 'utf8')
    expect(guide).toMatch(BETWEEN)
    const made = guide.replace(BETWEEN, (_, before: string, after: string) => before + reportOf(held) + after)
    if (process.env.UPDATE) writeFileSync(GUIDE, made)
    else expect(guide).toBe(made)
  })
})
