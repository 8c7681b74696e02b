import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DecisionPage } from '../../src/dashboard/api.ts'
import { Archive } from '../../src/dashboard/archive.ts'
import { decisions } from '../../src/dashboard/decisions.ts'
import { BLOCK } from '../../src/dashboard/lookup.ts'
import { Query } from '../../src/dashboard/query.ts'
import { sessions } from '../../src/dashboard/sessions.ts'
import { timeline } from '../../src/dashboard/timeline.ts'
import { type AuditRecord, openDriver, SqliteStore } from '../../src/store/index.ts'
import { filterIn, latest } from '../../src/trail/index.ts'
import { removeFolder } from '../remove-folder.ts'
import { past } from '../stats/past.ts'

const MANY = 12 * BLOCK + 77
const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
const state = join(folder, 'state')
const records: AuditRecord[] = []

function append(more: readonly AuditRecord[]): void {
  const store = new SqliteStore(state)
  const now = more.at(-1)?.at ?? 0
  store.transact({ client: 'test', session: '' }, { root: '', now, expiryHours: 1 }, () => ({
    records: more,
    result: 0,
  }))
  store.close()
  records.push(...more)
}

const query = (words: Readonly<Record<string, string>>) => new Query(new URLSearchParams(words))
const all = (words: Readonly<Record<string, string>>, page: (words: Query) => DecisionPage) => {
  const found: number[] = []
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const one: DecisionPage = page(query({ ...words, limit: '50', before: String(before) }))
    found.push(...one.rows.map(({ n }) => n))
    before = one.before
  }
  return found
}

beforeAll(() => append([...past({ records: MANY, from: Date.now() - 3_600_000, days: 1 / 48 })]))
afterAll(() => removeFolder(folder))

/** What is asked for, by the words that the log knows. */
const words = fc.record(
  {
    decision: fc
      .subarray(['deny', 'ask', 'allow', 'would', 'error', 'bypass'], { minLength: 1 })
      .map(one => one.join()),
    client: fc.constantFrom('claude-code', 'claude', 'codex', 'gemini-cli', 'cursor'),
    gate: fc.constantFrom('tests-before-commit', 'project/no-push', 'routes', 'nothing'),
    tool: fc.constantFrom('Bash', 'Edit', 'WebFetch'),
    session: fc.constantFrom('0000', '00000a', '00000b', 'x'),
    text: fc.constantFrom('commit', 'GIT', 'no such text', '"', 'src/'),
    all: fc.constant('1'),
  },
  { requiredKeys: [] },
)

describe('the lookup', () => {
  it('finds what the log finds, whatever is asked for: with nothing sorted, with some of it, and with all', () => {
    const archive = new Archive(state)
    const expected = (asked: Readonly<Record<string, string>>) => {
      const filter = filterIn({ ...asked, grep: asked.text, all: asked.all === '1' }, Date.now())
      if (typeof filter === 'string') throw new Error(filter)
      return archive.read(trail =>
        latest(trail, filter, MANY)
          .found.map(({ seq }) => seq)
          .reverse(),
      )
    }
    const check = (runs: number) =>
      fc.assert(
        fc.property(words, asked => {
          const given = Object.fromEntries(Object.entries(asked).filter(([, one]) => one !== undefined))
          expect(all(given, one => decisions(archive, one))).toEqual(expected(given))
        }),
        { numRuns: runs },
      )
    check(4)
    archive.read(trail => archive.lookup().advance(trail, archive.rootOf(), 5))
    check(4)
    while (!archive.tidy(200));
    expect(archive.read(trail => archive.lookup().progress(trail))).toEqual({ blocks: 12, of: 12 })
    check(20)
    const { looked } = decisions(archive, query({ session: 'no such session' }))
    expect(looked).toBeLessThan(BLOCK)
    archive.close()
  })

  it('adds up sessions, each once, and tells the timeline of one', () => {
    const archive = new Archive(state)
    const found = new Map<string, number>()
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const page = sessions(archive, query({ before: String(before), limit: '3' }))
      for (const one of page.rows) {
        expect(found.has(one.session)).toBe(false)
        found.set(one.session, one.events)
      }
      before = page.before
    }
    const counted = new Map<string, number>()
    for (const { session } of records) counted.set(session, (counted.get(session) ?? 0) + 1)
    expect(new Map([...found].sort())).toEqual(new Map([...counted].sort()))
    const [first] = records
    const key = { client: first?.client ?? '', session: first?.session ?? '' }
    const { events } = timeline(archive, key, query({}))
    expect(events.length).toBe(Math.min(1000, counted.get(key.session) ?? 0))
    expect(events.map(({ n }) => n)).toEqual([...events].map(({ n }) => n).sort((a, b) => a - b))
    archive.close()
  })

  it('goes on with what is new, and begins anew with another trail', () => {
    const archive = new Archive(state)
    append([...past({ records: 3 * BLOCK, from: Date.now(), days: 0.001, seed: 7 })])
    while (!archive.tidy(200));
    expect(archive.read(trail => archive.lookup().progress(trail))).toEqual({ blocks: 15, of: 15 })
    archive.close()
    removeFolder(join(state, 'signalbox.db'))
    for (const part of ['-wal', '-shm']) removeFolder(join(state, `signalbox.db${part}`))
    records.length = 0
    append([...past({ records: 2 * BLOCK, from: Date.now(), days: 0.001, seed: 9 })])
    const anew = new Archive(state)
    while (!anew.tidy(200));
    const { rows } = sessions(anew, query({ limit: '200' }))
    expect(rows.reduce((sum, one) => sum + one.events, 0)).toBe(records.length)
    anew.close()
  })
})

describe('every query of the pages goes by an index', () => {
  const plans: readonly (readonly [file: string, sql: string])[] = [
    ['signalbox.db', 'SELECT seq, hash, json FROM records WHERE seq < 1 ORDER BY seq DESC LIMIT 1'],
    ['signalbox.db', 'SELECT seq, hash, json FROM records WHERE seq > 1 ORDER BY seq LIMIT 1'],
    ['signalbox.db', 'SELECT hash FROM records WHERE seq = 1'],
    ['signalbox.db', "SELECT json FROM sessions WHERE key = 'a' AND expires_at >= 1"],
    ['signalbox.db', "SELECT json FROM projects WHERE root = 'a'"],
    ['lookup.db', "SELECT block FROM keys WHERE key >= 'a' AND key < 'b'"],
    ['lookup.db', 'SELECT * FROM sessions WHERE last < 1 ORDER BY last DESC LIMIT 1'],
    ['lookup.db', "SELECT * FROM sessions WHERE client = 'a' AND id = 'b'"],
    ['lookup.db', 'SELECT block, hash FROM blocks ORDER BY block DESC LIMIT 1'],
    ['stats.db', 'SELECT gate, hour, count(*) AS n FROM stops WHERE hour >= 1 GROUP BY gate, hour'],
    [
      'stats.db',
      "SELECT * FROM stops WHERE hour >= 1 AND hour <= 2 AND gate = 'a' ORDER BY hour DESC, last DESC LIMIT 9",
    ],
  ]

  it.each(plans)('%s: %s', (file, sql) => {
    const driver = openDriver(join(state, file))
    const plan = driver
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
    driver.close()
    // `SCAN … USING INDEX` in the order that is asked for reads no more than the limit
    const whole = plan.filter(step => /^SCAN/.test(step) && !/LIMIT/.test(sql))
    expect(whole).toEqual([])
    expect(plan.some(step => /USE TEMP B-TREE FOR ORDER BY$/.test(step))).toBe(false)
  })
})
