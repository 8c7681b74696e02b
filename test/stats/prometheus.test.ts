import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderPrometheus } from '../../src/audit/stats/index.ts'
import { StatsDatabase } from '../../src/audit/stats/store/stats-database.ts'
import { past } from '../support/store/past-records.ts'
import { type Family, parseExposition } from '../support/store/prometheus-text.ts'
import { Ground, recordOf } from '../support/store/records.ts'
import { countAll, HOUR, put, THEN, withBook } from '../support/store/stats-book.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const PROGRAM = { version: '1.2.3', build: 'abc' }
const told = () =>
  withBook(ground, book => {
    countAll(ground.state, book)
    return renderPrometheus(book, PROGRAM)
  })
const sum = (family: Family | undefined, labels: Readonly<Record<string, string>> = {}): number =>
  (family?.samples ?? [])
    .filter(one => Object.entries(labels).every(([name, value]) => one.labels[name] === value))
    .reduce((all, one) => all + one.value, 0)

describe('the text for Prometheus', () => {
  it('is what the format wants, and what the records say', () => {
    const records = [...past({ records: 3000, from: THEN - 48 * HOUR, days: 2 })]
    put(ground.state, records)
    const families = parseExposition(told())
    expect(sum(families.get('signalbox_events_total'))).toBe(3000)
    expect(sum(families.get('signalbox_decisions_total'), { decision: 'deny', gate: 'project/routes' })).toBe(
      records.filter(one => one.decision === 'deny' && one.gate === 'project/routes').length,
    )
    expect(sum(families.get('signalbox_gate_events_total'), { effect: 'would_deny' })).toBe(
      records.filter(one => one.matches.some(match => match.mode === 'observe')).length,
    )
    expect(sum(families.get('signalbox_errors_total'))).toBe(records.filter(one => one.errors.length > 0).length)
    const { samples = [] } = families.get('signalbox_decision_seconds') ?? {}
    const seconds = samples.filter(one => one.name.endsWith('_sum')).reduce((all, one) => all + one.value, 0)
    expect(seconds).toBeCloseTo(records.reduce((all, one) => all + (one.ms ?? 0), 0) / 1000, 6)
    const within = samples.filter(one => one.labels.le === '0.005').reduce((all, one) => all + one.value, 0)
    expect(within).toBe(records.filter(one => (one.ms ?? 0) <= 5).length)
    expect(families.get('signalbox_build_info')?.samples).toEqual([
      { name: 'signalbox_build_info', labels: PROGRAM, value: 1 },
    ])
    const ended = sum(families.get('signalbox_stops_ended_total'))
    expect(ended).toBeGreaterThan(0)
    expect(sum(families.get('signalbox_stops_total'))).toBeGreaterThanOrEqual(ended)
  })

  it('names with quotes, backslashes, line ends and tabs are told so that they come back', () => {
    const match = { rule: 'r', decision: 'deny', effect: 'deny', mode: 'block' } as const
    const gate = 'project/a "b" \\c\nd'
    put(ground.state, [
      recordOf({ decision: 'deny', gate, rule: 'r', matches: [{ ...match, gate }] }),
      recordOf({ client: 'x\ty' }),
    ])
    const { samples = [] } = parseExposition(told()).get('signalbox_decisions_total') ?? {}
    expect(samples.map(one => [one.labels.client, one.labels.gate])).toEqual([
      ['any', gate],
      ['x y', 'none'],
    ])
  })

  it('any number of gates and clients are some names and the others', () => {
    const match = { rule: 'r', decision: 'deny', effect: 'deny', mode: 'block' } as const
    const records = Array.from({ length: 1000 }, (_, nth) => {
      const gate = `project/g${nth}`
      return recordOf({ client: `c${nth % 50}`, decision: 'deny', gate, rule: 'r', matches: [{ ...match, gate }] })
    })
    put(ground.state, records.slice(0, 500))
    const before = parseExposition(told())
    put(ground.state, [...records.slice(500), ...records.slice(0, 10)])
    const after = parseExposition(told())
    const family = after.get('signalbox_decisions_total')
    expect(new Set(family?.samples.map(one => one.labels.gate)).size).toBe(201)
    expect(new Set(family?.samples.map(one => one.labels.client)).size).toBe(21)
    expect(sum(family)).toBe(1010)
    // no counter went down, and none has another name
    for (const { name, samples } of before.values())
      for (const one of samples)
        expect(sum(after.get(name), one.labels)).toBeGreaterThanOrEqual(one.labels.le ? 0 : one.value)
    expect(sum(family, { gate: 'project/g3' })).toBe(2)
  })

  it('counters do not go down when retention takes records away, nor with another process', () => {
    put(ground.state, [...past({ records: 1000, from: THEN - 240 * HOUR, days: 10 })])
    const before = parseExposition(told())
    const late = Array.from({ length: 130 }, () => recordOf({ at: THEN }))
    put(ground.state, late, { each: 1, limits: { days: 1, bytes: 2 ** 40 } })
    const after = parseExposition(told())
    const events = 'signalbox_events_total'
    expect(sum(after.get(events))).toBe(sum(before.get(events)) + late.length)
  })

  it('of nothing', () => {
    const book = StatsDatabase.inMemory()
    const families = parseExposition(renderPrometheus(book, PROGRAM))
    expect([...families.values()].flatMap(one => one.samples.map(({ name }) => name))).toEqual([
      'signalbox_build_info',
      'signalbox_audit_sequence',
      'signalbox_uncounted_records_total',
    ])
    book.close()
  })
})

describe('the dashboard', () => {
  const file = join(import.meta.dirname, '../../docs/grafana/signalbox.json')
  const { panels, templating } = JSON.parse(readFileSync(file, 'utf8'))
  const queries: readonly string[] = [
    ...panels.flatMap((panel: { targets: readonly { expr: string }[] }) => panel.targets.map(one => one.expr)),
    ...templating.list.flatMap((one: { query?: { query?: string } }) => one.query?.query ?? []),
  ]

  it('asks for metrics, labels and values that there are', () => {
    put(ground.state, [...past({ records: 3000, from: THEN - 48 * HOUR, days: 2 })])
    const families = parseExposition(told())
    const samples = [...families.values()].flatMap(one => one.samples)
    expect(queries.length).toBeGreaterThan(15)
    for (const query of queries) {
      const names = [...query.matchAll(/signalbox_\w+/g)].map(([name]) => name)
      expect(names.length, query).toBeGreaterThan(0)
      for (const name of names)
        expect(samples.filter(one => one.name === name).length, `${name} in ${query}`).toBeGreaterThan(0)
      for (const [, name = '', inside = ''] of query.matchAll(/(signalbox_\w+)\{([^}]*)\}/g))
        for (const [, label = '', sign = '', value = ''] of inside.matchAll(/(\w+)(=~?)"([^"]*)"/g)) {
          const values = samples.filter(one => one.name === name).map(one => one.labels[label])
          const wanted = value.startsWith('$') ? /./ : new RegExp(`^(${value})$`)
          const found = values.filter(one => one !== undefined && (sign === '=~' ? wanted.test(one) : one === value))
          expect(found.length, `${label}${sign}${value} in ${query}`).toBeGreaterThan(0)
        }
      const [, grouped = ''] = /by \(([^)]*)\)/.exec(query) ?? []
      for (const label of grouped.split(/, */).filter(Boolean))
        expect(
          samples.some(one => names.includes(one.name) && label in one.labels),
          `${label} in ${query}`,
        ).toBe(true)
    }
  })
})
