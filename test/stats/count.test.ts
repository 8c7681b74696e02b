import { describe, expect, it } from 'vitest'
import { countRecord } from '../../src/audit/stats/count-record.ts'
import { BUCKET_BOUNDS, bucketOf, ERROR_PERCENT, latencyOf } from '../../src/audit/stats/histogram.ts'
import { parsePeriod } from '../../src/audit/stats/period.ts'
import { type GateStop, updateStops } from '../../src/audit/stats/read/stop.ts'
import { renderSparkline } from '../../src/audit/stats/show/sparkline.ts'
import { renderTable } from '../../src/audit/stats/show/table.ts'
import type { AuditRecord } from '../../src/store/index.ts'
import { chance } from '../support/store/past-records.ts'
import { NOW, recordOf } from '../support/store/records.ts'

describe('percentiles', () => {
  it('are never too low, and too high by the widest bucket at most', () => {
    const random = chance(7)
    for (let round = 0; round < 200; round++) {
      const values = Array.from({ length: 1 + Math.floor(random() * 300) }, () => 0.1 * Math.exp(random() * 11))
      const buckets = new Map<number, number>()
      for (const one of values) buckets.set(bucketOf(one), (buckets.get(bucketOf(one)) ?? 0) + 1)
      const sorted = values.sort((a, b) => a - b)
      const { p50, p95, p99, count: n } = latencyOf(buckets)
      expect(n).toBe(values.length)
      for (const [percent, told] of [
        [50, p50],
        [95, p95],
        [99, p99],
      ] as const) {
        const real = sorted[Math.max(1, Math.ceil((n * percent) / 100)) - 1] ?? 0
        expect(told).toBeGreaterThanOrEqual(real)
        expect((told ?? 0) / Math.max(real, BUCKET_BOUNDS[0] ?? 0)).toBeLessThanOrEqual(1 + ERROR_PERCENT / 100)
      }
    }
  })

  it.each([
    [0, 0],
    [0.1, 0],
    [0.11, 1],
    [1, 10],
    [10_000, 50],
    [10_001, 51],
  ])('%d ms is in bucket %d', (ms, bucket) => expect(bucketOf(ms)).toBe(bucket))

  it('nothing measured', () => expect(latencyOf(new Map())).toEqual({ count: 0, p50: null, p95: null, p99: null }))
})

const GATE = { gate: 'project/g', rule: 'r', mode: 'block' } as const
const deny = { ...GATE, decision: 'deny', effect: 'deny' } as const
const named = (record: AuditRecord, kind: string) =>
  [...countRecord(record).keys()]
    .filter(name => name.startsWith(`${kind}\t`))
    .map(name => name.split('\t').slice(1).join(' '))

describe('what became of a rule, and what its gate did', () => {
  it.each<[string, Partial<AuditRecord>, string, string]>([
    ['it decided', { decision: 'deny', matches: [deny] }, 'project/g r deny decided', 'project/g deny'],
    [
      'it was bypassed',
      { matches: [{ ...deny, effect: 'none', bypassed: true }] },
      'project/g r deny bypassed',
      'project/g bypassed',
    ],
    [
      'something stricter was said',
      { decision: 'deny', matches: [{ ...GATE, decision: 'ask', effect: 'ask' }] },
      'project/g r ask overruled',
      'project/g none',
    ],
    [
      'the agent could not be refused',
      { decision: 'pass', matches: [deny] },
      'project/g r deny overruled',
      'project/g none',
    ],
    [
      'its gate observes',
      { matches: [{ ...deny, mode: 'observe', effect: 'none' }] },
      'project/g r deny watched',
      'project/g would deny',
    ],
    [
      'its gate warns',
      { matches: [{ ...deny, mode: 'warn', effect: 'warn' }] },
      'project/g r deny warned',
      'project/g would deny',
    ],
    [
      'it would only have said the same',
      { decision: 'deny', matches: [{ ...deny, mode: 'observe', effect: 'none' }] },
      'project/g r deny watched',
      'project/g none',
    ],
    [
      'a warning of its own',
      { matches: [{ ...GATE, decision: 'warn', effect: 'warn' }] },
      'project/g r warn warned',
      'project/g warn',
    ],
    [
      'for several acts it counts once',
      { decision: 'deny', matches: [deny, deny] },
      'project/g r deny decided',
      'project/g deny',
    ],
  ])('%s', (_, more, rule, gate) => {
    const record = recordOf(more)
    expect([
      named(record, 'rule'),
      named(record, 'gate'),
      [...countRecord(record).values()].every(n => n >= 1),
    ]).toEqual([[rule], [gate], true])
    expect(
      countRecord(record).get(`rule\t${rule.replace('project/g r ', 'project/g\tr\t').replace(/ (\w+)$/, '\t$1')}`),
    ).toBe(1)
  })

  it('a gate that failed', () =>
    expect(named(recordOf({ errors: ['gate project/g: boom'] }), 'gate failed')).toEqual(['project/g']))
})

const at = (minute: number) => NOW + minute * 60_000
const push = { acts: ['run git push'] }
const refused = (minute: number, more: Partial<AuditRecord> = push) =>
  recordOf({ at: at(minute), decision: 'deny', matches: [deny], ...more })
const opened = { moves: [{ gate: 'project/g', from: 'closed', to: 'open' }] } as const

describe('a stop', () => {
  const ended = (records: readonly AuditRecord[]) =>
    records.reduce<readonly GateStop[]>(updateStops, []).map(({ tries, outcome }) => `${tries} ${outcome ?? 'open'}`)
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'is fixed when the gate opens',
      [refused(0), recordOf({ at: at(1), event: 'tool.after', ...opened })],
      ['1 fixed'],
    ],
    ['is fixed when the same thing is let through', [refused(0), recordOf({ at: at(60), ...push })], ['1 fixed']],
    ['is not when another thing is', [refused(0), recordOf({ at: at(1), acts: ['run ls'] })], ['1 open']],
    [
      'is not when the gate only observes by then',
      [refused(0), recordOf({ ...push, matches: [{ ...deny, mode: 'observe', effect: 'none' }] })],
      ['1 open'],
    ],
    [
      'is not when another gate opens',
      [refused(0), recordOf({ acts: [], moves: [{ gate: 'project/h', from: 'closed', to: 'open' }] })],
      ['1 open'],
    ],
    [
      'is bypassed when a person lets it pass',
      [refused(0), recordOf({ ...push, matches: [{ ...deny, effect: 'none', bypassed: true }] })],
      ['1 bypassed'],
    ],
    [
      'refusals soon after belong to it, whatever the words',
      [refused(0), refused(1, { acts: ['run git push origin'] })],
      ['2 open'],
    ],
    [
      'later ones of something else do not',
      [refused(0), refused(9, { acts: ['run git push origin'] })],
      ['1 open', '1 open'],
    ],
    ['later ones of the same thing do', [refused(0), refused(9)], ['2 open']],
    [
      'an open gate ends all of its stops',
      [refused(0), refused(9, { acts: ['x'] }), recordOf({ event: 'tool.after', ...opened })],
      ['1 fixed', '1 fixed'],
    ],
    [
      'after it is over another one begins',
      [refused(0), recordOf({ event: 'tool.after', ...opened }), refused(1)],
      ['1 fixed', '1 open'],
    ],
    ['a refusal that keeps nothing from happening is none', [refused(0, { event: 'tool.after' })], []],
  ])('%s', (_, records, expected) => expect(ended(records)).toEqual(expected))
})

describe('a period', () => {
  const H = 3_600_000
  it.each<[string | undefined, string | undefined, unknown]>([
    [undefined, undefined, [Math.floor((NOW - 168 * H) / H) * H, (Math.floor((NOW - 1) / H) + 1) * H]],
    ['30m', undefined, [Math.floor((NOW - H / 2) / H) * H, (Math.floor((NOW - 1) / H) + 1) * H]],
    ['2026-11-01T09:30Z', '2026-11-01T11:00Z', [Date.UTC(2026, 10, 1, 9), Date.UTC(2026, 10, 1, 11)]],
    ['2d', '3d', '`--until 3d` is before `--since 2d`'],
    ['soon', undefined, '`--since soon`: use 7d, 12h, a day like 2026-11-01, or a time like 2026-11-01T09:00'],
    [
      '2026-13-01',
      undefined,
      '`--since 2026-13-01`: use 7d, 12h, a day like 2026-11-01, or a time like 2026-11-01T09:00',
    ],
  ])('since %s until %s', (since, until, expected) => {
    const period = parsePeriod(since, until, NOW)
    expect(typeof period === 'string' ? period : [period.from, period.to]).toEqual(expected)
  })
})

describe('in a window', () => {
  it('bars', () => {
    expect(renderSparkline([0, 1, 2, 4, 8], 10, 'ascii')).toBe(' .:=%')
    expect(renderSparkline([1, 1, 1, 1, 0, 0], 3, 'unicode')).toBe('██ ')
  })

  it('columns go before the name is cut, and what is left fits', () => {
    const columns = [{ head: 'gate' }, { head: 'fired' }, { head: 'fixed', dropOrder: 1 }]
    const rows = [['a-gate-with-quite-a-name', '12', '10 (83 %)']]
    expect(renderTable(columns, rows, 80)).toEqual([
      'gate                      fired      fixed',
      'a-gate-with-quite-a-name     12  10 (83 %)',
    ])
    expect(renderTable(columns, [['\u001b[2Jx\u009b31m\u202e', '1']], 80).join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(renderTable(columns, rows, 32)).toEqual([
      'gate                      fired',
      'a-gate-with-quite-a-name     12',
    ])
    expect(renderTable(columns, rows, 20)).toEqual(
      ['gate           fired', 'a-gate…-a-name     12'].map((line, nth) =>
        nth === 0 ? line : expect.stringMatching(/^a-gate….+ {5}12$/),
      ),
    )
    expect(renderTable(columns, rows, 20).every(line => line.length <= 20)).toBe(true)
  })
})
