import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INTENTS } from '../../src/router/index.ts'
import { calibrationError, judge, reliability, reportOf, share } from './report.ts'
import { requests } from './requests.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guide/routing.md')
const BETWEEN = /(<!-- measured: [^\n]*-->\n\n)[\s\S]*?(\n\n<!-- \/measured -->)/

const held = judge('held')
const wild = held.filter(one => one.labelled.from === 'wild')
const isRight = ({ isRight: one }: (typeof held)[number]) => one

describe('the labelled requests', () => {
  it('are many, each once, and halved', () => {
    expect(requests.length).toBeGreaterThan(800)
    expect(new Set(requests.map(one => one.request)).size).toBe(requests.length)
    expect(held.length / requests.length).toBeCloseTo(0.5, 1)
    expect(wild.length).toBeGreaterThan(80)
  })

  it('have labels that there are, and every intent has some', () => {
    expect([...new Set(requests.map(one => one.intent))].sort()).toEqual([...INTENTS].sort())
    expect(requests.flatMap(one => one.also ?? []).filter(one => !INTENTS.some(intent => intent === one))).toEqual([])
  })
})
