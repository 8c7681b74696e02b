import { join, resolve } from 'node:path'
import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import { eventOf, isShortForm } from '../../bench/scores/case-judge.ts'
import { readCorpus } from '../../bench/scores/corpus.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const { dangerous, reading } = readCorpus(join(ROOT, 'bench/corpus'))
const twins = dangerous.map(({ twin }) => twin)
const calls = [...dangerous.map(({ call }) => call), ...twins, ...reading.map(({ call }) => call)]

describe('the corpus of calls', () => {
  it('has enough of each kind', () => {
    expect(dangerous.length).toBeGreaterThanOrEqual(600)
    expect(new Set(twins).size).toBeGreaterThanOrEqual(600)
    expect(reading.length).toBeGreaterThanOrEqual(300)
    expect(dangerous.filter(({ subject }) => subject === 'wrappers').length).toBeGreaterThanOrEqual(100)
  })

  it('has every call once', () => {
    expect(calls.filter((call, nth) => calls.indexOf(call) !== nth)).toEqual([])
  })

  it('says in a few words why a call is dangerous', () => {
    const wrong = dangerous.filter(({ why }) => why.length < 8 || why.length > 80 || why.endsWith('.'))
    expect(wrong).toEqual([])
  })

  it('has no spaces around a call', () => {
    expect(calls.filter(call => call !== call.trim())).toEqual([])
  })

  it('has shell lines without mistakes', () => {
    const lines = calls.filter(call => !isShortForm(call))
    expect(lines.filter(line => (parse(line).errors ?? []).length > 0)).toEqual([])
  })

  it('has tool calls that an agent can make', () => {
    const tools = calls.filter(isShortForm)
    expect(tools.length).toBeGreaterThan(50)
    for (const call of tools) expect(eventOf(call).call?.acts, call).not.toEqual([])
  })
})
