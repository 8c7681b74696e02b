import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { DecisionPage } from '../../src/app/dashboard/api.ts'
import { DashboardRecords } from '../../src/app/dashboard/archive.ts'
import { listDecisions } from '../../src/app/dashboard/pages/decisions.ts'
import { listSessions } from '../../src/app/dashboard/pages/sessions.ts'
import { sessionTimeline } from '../../src/app/dashboard/pages/timeline.ts'
import { latestRecordsPerClient } from '../../src/app/dashboard/records/latest-records.ts'
import { BLOCK_SIZE } from '../../src/app/dashboard/records/lookup.ts'
import { QueryParameters } from '../../src/app/dashboard/server/query.ts'
import { parseRecordFilter, readLatestRecords } from '../../src/audit/index.ts'
import { countStopsByDay, readLatencySeries, readStops, summarizeStats } from '../../src/audit/stats/index.ts'
import { CANARY_SESSION } from '../../src/engine/index.ts'
import { type AuditRecord, openDriver, requireLibsql, SqliteStore } from '../../src/store/index.ts'
import { removeFolder } from '../support/remove-folder.ts'
import { past } from '../support/store/past-records.ts'

const MANY = 12 * BLOCK_SIZE + 77
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

const query = (words: Readonly<Record<string, string>>) => new QueryParameters(new URLSearchParams(words))
const all = (words: Readonly<Record<string, string>>, page: (words: QueryParameters) => DecisionPage) => {
  const found: number[] = []
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const one: DecisionPage = page(query({ ...words, limit: '50', before: String(before) }))
    found.push(...one.rows.map(({ n }) => n))
    before = one.before
  }
  return found
}

/** Most are of the main agent; one subagent acts all the time, one for a moment, some of before they had ids. */
const actorOf = (nth: number): Partial<AuditRecord> => {
  if (nth === 700 || nth === 701) return { caller: 'Plan', agent: 'a-moment' }
  if (nth % 7 === 0) return { caller: 'Explore', agent: nth % 2 === 0 ? 'a1' : 'a2' }
  return nth % 11 === 0 ? { caller: 'Explore' } : {}
}

beforeAll(() => {
  const all = [...past({ records: MANY, from: Date.now() - 3_600_000, days: 1 / 48 })]
  append(all.map((one, nth) => ({ ...one, ...actorOf(nth) })))
})
afterAll(() => removeFolder(folder))

/** What is asked for, by the words that the log knows. */
const words = fc.record(
  {
    decision: fc
      .subarray(['deny', 'ask', 'allow', 'pass', 'would', 'error', 'bypass'], { minLength: 1 })
      .map(one => one.join()),
    client: fc.constantFrom('claude-code', 'claude', 'codex', 'gemini-cli', 'cursor'),
    gate: fc.constantFrom('tests-before-commit', 'project/no-push', 'routes', 'nothing'),
    tool: fc.constantFrom('Bash', 'Edit', 'WebFetch'),
    session: fc.constantFrom('0000', '00000a', '00000b', 'x'),
    subagent: fc.constantFrom('main', 'Explore', 'a1', 'a2,Plan', 'nobody'),
    event: fc.constantFrom('tool.before', 'tool.after', 'nothing'),
    text: fc.constantFrom('commit', 'GIT', 'no such text', '"', 'src/'),
    all: fc.constant('1'),
  },
  { requiredKeys: [] },
)

describe('the lookup', () => {
  it('finds what the log finds, whatever is asked for: with nothing sorted, with some of it, and with all', () => {
    const archive = new DashboardRecords(state)
    const expected = (asked: Readonly<Record<string, string>>) => {
      const filter = parseRecordFilter({ ...asked, grep: asked.text, all: asked.all === '1' }, Date.now())
      if (typeof filter === 'string') throw new Error(filter)
      return archive.read(trail =>
        readLatestRecords(trail, filter, MANY)
          .found.map(({ seq }) => seq)
          .reverse(),
      )
    }
    const check = (runs: number) =>
      fc.assert(
        fc.property(words, asked => {
          const given = Object.fromEntries(Object.entries(asked).filter(([, one]) => one !== undefined))
          expect(all(given, one => listDecisions(archive, one))).toEqual(expected(given))
        }),
        { numRuns: runs },
      )
    check(4)
    archive.read(trail => archive.lookup().advance(trail, archive.rootOf(), 5))
    check(4)
    while (!archive.tidy(200));
    expect(archive.read(trail => archive.lookup().progress(trail))).toEqual({ blocks: 12, of: 12 })
    check(20)
    for (const nobody of [{ session: 'no such session' }, { subagent: 'nobody' }, { event: 'nothing' }])
      expect(listDecisions(archive, query(nobody)).searched).toBeLessThan(BLOCK_SIZE)
    // the block it is in, and the last, which is not full
    const moment = listDecisions(archive, query({ subagent: 'a-moment', all: '1' }))
    expect([moment.rows.map(({ n }) => n), moment.before]).toEqual([[702, 701], null])
    expect(moment.searched).toBeLessThan(2 * BLOCK_SIZE)
    archive.close()
  })

  it('adds up sessions, each once, and tells the timeline of one', () => {
    const archive = new DashboardRecords(state)
    const found = new Map<string, number>()
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const page = listSessions(archive, query({ before: String(before), limit: '3' }))
      for (const one of page.rows) {
        expect(found.has(one.session)).toBe(false)
        found.set(one.session, one.events)
      }
      before = page.before
    }
    // nobody knows of these sessions any more, but their records say where they were
    const projects = listSessions(archive, query({ limit: '200' })).rows.map(one => one.project)
    expect(new Set(projects)).toEqual(new Set(records.map(one => one.root)))
    const [elsewhere] = projects
    const own = records.flatMap(({ root }, nth) => (root === elsewhere ? [nth + 1] : []))
    expect(all({ project: elsewhere ?? '', all: '1' }, one => listDecisions(archive, one))).toEqual(own.reverse())
    const counted = new Map<string, number>()
    for (const { session } of records) counted.set(session, (counted.get(session) ?? 0) + 1)
    expect(new Map([...found].sort())).toEqual(new Map([...counted].sort()))
    const [first] = records
    const key = { client: first?.client ?? '', session: first?.session ?? '' }
    const { events } = sessionTimeline(archive, () => [], key, query({}))
    expect(events.length).toBe(Math.min(1000, counted.get(key.session) ?? 0))
    expect(events.map(({ n }) => n)).toEqual([...events].map(({ n }) => n).sort((a, b) => a - b))
    archive.close()
  })

  it('goes on with what is new, and begins anew with another trail', () => {
    const archive = new DashboardRecords(state)
    append([...past({ records: 3 * BLOCK_SIZE, from: Date.now(), days: 0.001, seed: 7 })])
    while (!archive.tidy(200));
    expect(archive.read(trail => archive.lookup().progress(trail))).toEqual({ blocks: 15, of: 15 })
    archive.close()
    removeFolder(join(state, 'signalbox.db'))
    for (const part of ['-wal', '-shm']) removeFolder(join(state, `signalbox.db${part}`))
    records.length = 0
    append([...past({ records: 2 * BLOCK_SIZE, from: Date.now(), days: 0.001, seed: 9 })])
    const anew = new DashboardRecords(state)
    while (!anew.tidy(200));
    const { rows } = listSessions(anew, query({ limit: '200' }))
    expect(rows.reduce((sum, one) => sum + one.events, 0)).toBe(records.length)
    anew.close()
  })

  it('knows subagents of one type apart, by the same number whichever part of the session is shown', () => {
    const [one] = past({ records: 1, from: Date.now(), days: 0.001 })
    const key = { client: 'claude-code', session: 'with-subagents' }
    const who = (nth: number): Partial<AuditRecord> => {
      if (nth < 2) return { caller: 'Explore' }
      const agent = ['a', 'b', 'c'][nth % 3] ?? ''
      return nth % 4 === 0 ? {} : { caller: agent === 'c' ? 'Plan' : 'Explore', agent }
    }
    const many = 3 * BLOCK_SIZE
    if (one) append(Array.from({ length: many }, (_, nth) => ({ ...one, ...key, at: one.at + nth, ...who(nth) })))
    for (const isSorted of [false, true]) {
      const archive = new DashboardRecords(state)
      if (isSorted) while (!archive.tidy(200));
      const names = (asked: Readonly<Record<string, string>>) =>
        sessionTimeline(archive, () => [], key, query(asked)).lanes.map(({ name, agent }) => [name, agent])
      const numbered = [
        ['Plan', 'c'],
        ['Explore 1', 'a'],
        ['Explore 2', 'b'],
      ]
      // those of before there were ids know the type alone
      expect(names({})).toEqual([['main', undefined], ['Explore', undefined], ...numbered])
      expect(names({ limit: '12' })).toEqual(expect.arrayContaining([['main', undefined], ...numbered]))
      expect(listSessions(archive, query({ limit: '1' })).rows).toMatchObject([{ ...key, events: many, agents: 3 }])
      archive.close()
    }
  })
})

describe('who was heard', () => {
  it('however long ago, by a call, else by a canary', () => {
    const silent = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
    const [one] = past({ records: 1, from: Date.now(), days: 0.001 })
    if (!one) throw new Error('no past')
    const store = new SqliteStore(silent)
    const canary = { session: `${CANARY_SESSION}1`, decision: 'deny' } as const
    const more = [
      { ...one, client: 'codex-cli' },
      { ...one, client: 'gemini-cli', ...canary },
      ...Array.from({ length: 6 * BLOCK_SIZE }, () => ({ ...one, client: 'claude-code' })),
    ]
    store.transact({ client: 'test', session: '' }, { root: '', now: one.at, expiryHours: 1 }, () => ({
      records: more,
      result: 0,
    }))
    store.close()
    for (const isSorted of [false, true]) {
      const archive = new DashboardRecords(silent)
      if (isSorted) while (!archive.tidy(200));
      const clients = ['claude-code', 'codex-cli', 'gemini-cli', 'cursor']
      const heard = archive.read(trail => latestRecordsPerClient(archive, trail, clients)) ?? []
      expect(heard).toHaveLength(1002)
      expect(heard.slice(0, 3).map(({ client }) => client)).toEqual(['codex-cli', 'gemini-cli', 'claude-code'])
      archive.close()
    }
    removeFolder(silent)
  })
})

/** Small, whatever the trail is: sessions that may go on, rules that ever spoke, numbers of blocks. */
const SMALL = ['SCAN sessions', 'SCAN fired', 'SCAN blocks']

describe('every query of the pages', () => {
  it('goes by an index, or reads no more than it tells', () => {
    const said = new Set<string>()
    const prototype = drivers()
    const prepare = vi.spyOn(prototype, 'prepare').mockImplementation(function (this: typeof prototype, sql: string) {
      said.add(sql)
      return original.call(this, sql)
    })
    const archive = new DashboardRecords(state)
    try {
      const [row] = listSessions(archive, query({ client: 'claude-code' })).rows
      for (const asked of [{}, { decision: 'deny' }, { text: 'x', session: '00' }, { after: '5' }])
        listDecisions(archive, query(asked))
      sessionTimeline(archive, () => [], { client: row?.client ?? '', session: row?.session ?? '' }, query({}))
      archive.read(trail =>
        archive.book(trail, 10, book => {
          const period = { from: Date.now() - 8_640_000, to: Date.now() }
          summarizeStats(book, { ...period, by: 'rule', policy: [], project: '/p' })
          readStops(book, { ...period, most: 5, gate: 'a', project: '/p' })
          readStops(book, { ...period, most: 5, stuck: true, project: '/p' })
          countStopsByDay(book, [period.from], '/p')
          readLatencySeries(
            book,
            { step: 'hour', at: [period.from], calls: [], denied: [] },
            { ...period, project: '/p' },
          )
        }),
      )
      archive.sessions(reader => [reader.live(0, 5), reader.one({ client: 'a', session: 'b' }, 0), reader.shared('/')])
    } finally {
      prepare.mockRestore()
      archive.close()
    }
    const asked = [...said].filter(sql => /^\s*SELECT/.test(sql))
    expect(asked.length).toBeGreaterThan(15)
    for (const sql of asked) {
      const scans = planOf(sql).filter(
        step => /^SCAN (?!CONSTANT|\()/.test(step) && !/USING (COVERING )?INDEX|PRIMARY KEY/.test(step),
      )
      const isBounded = /LIMIT/.test(sql) && !planOf(sql).some(step => /TEMP B-TREE FOR ORDER BY$/.test(step))
      expect([sql, isBounded ? [] : scans.filter(step => !SMALL.includes(step))]).toEqual([sql, []])
    }
  })
})

const original = drivers().prepare

/** Whichever SQLite is used here. */
function drivers(): { prepare(sql: string): unknown } {
  const own: unknown = process.getBuiltinModule?.('node:sqlite')
  const found = own as { DatabaseSync: { prototype: { prepare(sql: string): unknown } } } | undefined
  return found?.DatabaseSync.prototype ?? requireLibsql().prototype
}

function planOf(sql: string): readonly string[] {
  for (const file of ['signalbox.db', 'lookup.db', 'stats.db']) {
    const driver = openDriver(join(state, file))
    try {
      return driver
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...(sql.match(/\?/g) ?? []).map(() => 1))
        .map(({ detail }) => String(detail))
    } catch {
      // of another file
    } finally {
      driver.close()
    }
  }
  throw new Error(`nobody understands ${sql}`)
}
