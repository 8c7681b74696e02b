import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rebuildStats, rollUpRecords, summarizeStats, withAllCounted } from '../../src/audit/stats/index.ts'
import { StatsDatabase } from '../../src/audit/stats/store/stats-database.ts'
import { AuditLogReader, type AuditRecord, isAgentRecord, runTransaction } from '../../src/store/index.ts'
import { past } from '../support/store/past-records.ts'
import { Ground, recordOf } from '../support/store/records.ts'
import { contentOf, countAll, HOUR, put, THEN, withBook } from '../support/store/stats-book.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const DAYS = 12
const some = (records: number, seed = 1): readonly AuditRecord[] => [
  ...past({ records, from: THEN - DAYS * 24 * HOUR, days: DAYS, seed }),
]
const anew = () => {
  const book = StatsDatabase.inMemory()
  countAll(ground.state, book)
  return book
}
const summary = (book: StatsDatabase, from = THEN - DAYS * 24 * HOUR, to = THEN + HOUR) =>
  summarizeStats(book, { from, to, by: 'client', policy: [] })

const withTrail = <T>(work: (trail: AuditLogReader) => T): T => {
  const trail = AuditLogReader.open(ground.state)
  if (!trail) throw new Error('there is no trail')
  try {
    return work(trail)
  } finally {
    trail.close()
  }
}
const again = (book: StatsDatabase, seen = () => {}) =>
  withTrail(trail => rebuildStats(trail, book, { most: 300, now: THEN, seen }))
const countSome = (book: StatsDatabase) => withTrail(trail => rollUpRecords(trail, book, { most: 200, now: THEN }))

describe('what is counted', () => {
  it('is the same however the counting is cut into pieces, and as told by the records themselves', () => {
    const records = some(3000)
    const sizes = [7, 64, 1000]
    for (let at = 0, nth = 0; at < records.length; nth++) {
      const more = records.slice(at, at + 501)
      put(ground.state, more)
      withBook(ground, book => countAll(ground.state, book, sizes[nth % sizes.length]))
      at += more.length
    }
    const whole = anew()
    withBook(ground, book => {
      expect(contentOf(book)).toEqual(contentOf(whole))
      const from = THEN - 5 * 24 * HOUR - 3 * HOUR
      const to = THEN - 7 * HOUR
      const { totals, groups, sessions } = summary(book, from, to)
      const mine = records.filter(({ at }) => at >= from && at < to)
      const calls = mine.filter(({ event }) => event === 'tool.before')
      const denied = calls.filter(({ decision }) => decision === 'deny')
      expect(calls.length).toBeGreaterThan(500)
      expect({ ...totals, latencyMs: totals.latencyMs.count, sessions }).toEqual({
        invocations: mine.length,
        calls: calls.length,
        denied: denied.length,
        asked: 0,
        blockRate: Math.round((denied.length / calls.length) * 10_000) / 10_000,
        bypassed: mine.filter(one => one.matches.some(match => match.bypassed)).length,
        bypassUsage: mine.filter(one => one.approvedBy || one.matches.some(match => match.bypassed)).length,
        approvedByToken: 0,
        approvedByVariable: 0,
        whitelisted: mine.filter(one => one.whitelisted).length,
        errors: mine.filter(one => one.errors.length > 0).length,
        denialTokens: Math.ceil(
          mine.reduce((sum, one) => sum + (one.decision === 'deny' ? (one.reason?.length ?? 0) : 0), 0) / 4,
        ),
        latencyMs: mine.length,
        sessions: new Set(mine.map(({ client, session }) => client + session)).size,
      })
      expect(groups.reduce((sum, one) => sum + one.invocations, 0)).toBe(mine.length)
    })
    whole.close()
  })

  it('a period of whole days, of parts of days, and of one hour', () => {
    const records = some(2000)
    put(ground.state, records)
    const whole = anew()
    const day = Math.floor(THEN / (24 * HOUR)) * 24 * HOUR
    for (const [from, to] of [
      [day - 3 * 24 * HOUR, day],
      [day - 3 * 24 * HOUR - HOUR, day + HOUR],
      [day + 2 * HOUR - 24 * HOUR, day - 2 * HOUR],
      [THEN - 9 * HOUR, THEN - 8 * HOUR],
      [THEN + 24 * HOUR, THEN + 48 * HOUR],
    ] as const) {
      const found = records.filter(({ at }) => at >= from && at < to).length
      const bySession = summarizeStats(whole, { from, to, by: 'session', policy: [] })
      const sums = bySession.groups.map(one => one.invocations).reduce((a, b) => a + b, 0)
      const calls = summary(whole, from, to).series.calls.reduce((a, b) => a + b, 0)
      const real = records.filter(({ at, event }) => at >= from && at < to && event === 'tool.before').length
      expect([summary(whole, from, to).totals.invocations, sums, calls]).toEqual([found, found, real])
    }
    whole.close()
  })

  it('what Signalbox says of itself, and canaries, are nobody’s events', () => {
    const own = [recordOf({ client: 'signalbox' }), recordOf({ session: 'signalbox-canary-12' }), recordOf({})]
    expect(own.map(isAgentRecord)).toEqual([false, false, true])
    put(ground.state, own)
    const book = anew()
    expect(contentOf(book, ['hours', 'totals'])).toEqual({ hours: [expect.any(String)], totals: [expect.any(String)] })
    book.close()
  })
})

describe('the trail changes', () => {
  it('retention takes records away: what was counted of them stays, and what is still there says the same', () => {
    const records = some(2000)
    put(ground.state, records)
    withBook(ground, book => countAll(ground.state, book))
    const before = withBook(ground, book => summary(book).totals.invocations)
    // the next sweep finds all but the last two days too old
    const late = Array.from({ length: 200 }, () => recordOf({ at: THEN, client: 'claude-code', session: 'late' }))
    put(ground.state, late, { each: 1, limits: { days: 2, bytes: 2 ** 40 } })
    withBook(ground, book => {
      countAll(ground.state, book)
      const left = anew()
      const total = summary(left).totals.invocations
      expect(total).toBeLessThan(600)
      expect(summary(book).totals.invocations).toBe(before + late.length)
      expect(summary(book).counted).toMatchObject({ removedRecords: 0, unreadableRecords: 0 })
      // hours that have all their records
      const since = THEN - 24 * HOUR
      expect(summary(book, since).totals).toEqual(summary(left, since).totals)
      left.close()
    })
  })

  it('counted anew after retention: what has its records is what they say, what has not stays as it was', () => {
    put(ground.state, some(2000))
    withBook(ground, book => countAll(ground.state, book))
    const late = Array.from({ length: 200 }, () => recordOf({ at: THEN, client: 'claude-code', session: 'late' }))
    put(ground.state, late, { each: 1, limits: { days: 2, bytes: 2 ** 40 } })
    withBook(ground, book => {
      countAll(ground.state, book)
      const before = contentOf(book)
      // somebody has spoilt an hour that has its records, and one that has not
      for (const hour of [THEN, THEN - 9 * 24 * HOUR])
        book.driver.prepare(`UPDATE hours SET json = '["errors",7]' WHERE hour = ?`).run(hour / HOUR)
      const { countedBefore: keptBefore = 0 } = again(book)
      expect([keptBefore > THEN - 3 * 24 * HOUR, keptBefore < THEN - 24 * HOUR]).toEqual([true, true])
      const after = contentOf(book)
      const hours = (rows: readonly string[] = [], is: (hour: number) => boolean) =>
        rows.filter(row => is(JSON.parse(row).hour))
      const isSpoilt = (hour: number) => hour === THEN / HOUR - 9 * 24
      expect(hours(after.hours, hour => !isSpoilt(hour))).toEqual(hours(before.hours, hour => !isSpoilt(hour)))
      expect([after.stops, after.fired]).toEqual([before.stops, before.fired])
      expect(hours(after.hours, isSpoilt).every(row => row.includes('"errors":7'))).toBe(true)
      expect(book.position).toMatchObject({ missed: 0, unreadable: 0 })
    })
  })

  it('while all is counted anew, whoever looks sees all of it; and so whoever looks while another begins anew', () => {
    put(ground.state, some(1500))
    const all = withBook(ground, book => {
      countAll(ground.state, book)
      return contentOf(book)
    })
    withBook(ground, book =>
      withBook(ground, other => {
        const seen: unknown[] = []
        again(book, () => seen.push(contentOf(other)))
        expect([seen.length > 3, seen.every(one => isDeepStrictEqual(one, all))]).toEqual([true, true])
        expect(contentOf(other)).toEqual(all)
        runTransaction(other.driver, () => other.clear())
        countSome(other)
        const told = withTrail(trail => withAllCounted(trail, book, { most: 100, now: THEN }, () => contentOf(book)))
        expect(told).toEqual(all)
      }),
    )
  })

  it('what is removed before anybody counted is told as missed', () => {
    put(ground.state, some(200))
    withBook(ground, book => countAll(ground.state, book))
    put(ground.state, some(500, 2))
    const late = Array.from({ length: 200 }, () => recordOf({ at: THEN + 30 * 24 * HOUR }))
    put(ground.state, late, { each: 1, limits: { days: 2, bytes: 2 ** 40 } })
    withBook(ground, book => {
      countAll(ground.state, book)
      expect(book.position?.missed).toBe(500)
    })
  })

  it('so is what was removed before anything was counted', () => {
    put(ground.state, some(500))
    const late = Array.from({ length: 200 }, () => recordOf({ at: THEN + 30 * 24 * HOUR }))
    put(ground.state, late, { each: 1, limits: { days: 2, bytes: 2 ** 40 } })
    withBook(ground, book => {
      countAll(ground.state, book)
      expect(book.position?.missed).toBe(500)
    })
  })

  it('another trail, or one whose end was cut off, is counted anew', () => {
    put(ground.state, some(400))
    withBook(ground, book => countAll(ground.state, book))
    const database = ground.database()
    database.exec('DELETE FROM records WHERE seq > 300')
    database.close()
    put(ground.state, some(50, 3))
    const whole = anew()
    withBook(ground, book => {
      countAll(ground.state, book)
      expect(contentOf(book)).toEqual(contentOf(whole))
    })
    whole.close()
  })

  it('a new database that follows a lost one: what was counted stays', () => {
    put(ground.state, some(300))
    withBook(ground, book => countAll(ground.state, book))
    for (const part of ['', '-wal', '-shm']) rmSync(ground.file(`signalbox.db${part}`), { force: true })
    put(ground.state, some(100, 4))
    withBook(ground, book => {
      countAll(ground.state, book)
      expect(summary(book).totals.invocations).toBe(400)
      expect(book.position?.missed).toBe(0)
    })
  })

  it('a line that is no record is told as unreadable, and the rest is counted', () => {
    put(ground.state, some(100))
    const database = ground.database()
    database.exec("UPDATE records SET json = '{' WHERE seq = 5; UPDATE records SET json = '{}' WHERE seq = 6")
    database.close()
    withBook(ground, book => {
      countAll(ground.state, book)
      expect([summary(book).totals.invocations, book.position?.unreadable]).toEqual([98, 2])
    })
  })
})

describe('the book', () => {
  it('is made anew where it is damaged, of another version, or gone', () => {
    put(ground.state, some(100))
    const counts = () =>
      withBook(ground, book => {
        countAll(ground.state, book)
        return [summary(book).totals.invocations, book.isOnDisk]
      })
    expect(counts()).toEqual([100, true])
    for (const part of ['-wal', '-shm']) rmSync(ground.file(`stats.db${part}`), { force: true })
    writeFileSync(ground.file('stats.db'), 'no database, but long enough to be looked at'.repeat(100))
    expect(counts()).toEqual([100, true])
    withBook(ground, ({ driver }) => driver.exec('DROP TABLE sums; PRAGMA user_version = 0'))
    expect(counts()).toEqual([100, true])
    rmSync(ground.file('stats.db'))
    expect(counts()).toEqual([100, true])
    // of a newer program: left alone
    withBook(ground, ({ driver }) => driver.exec('PRAGMA user_version = 99'))
    expect(counts()).toEqual([100, false])
  })

  it('forgets what is older than 400 days, hours and days alike', () => {
    const at = THEN - 401 * 24 * HOUR
    put(ground.state, [recordOf({ at }), recordOf({ at: THEN })], { limits: { days: 10_000, bytes: 2 ** 40 } })
    withBook(ground, book => {
      countAll(ground.state, book)
      countAll(ground.state, book)
      const { hours = [], days = [], sums = [], totals = [] } = contentOf(book)
      expect([hours.length, days.length, sums.length]).toEqual([1, 1, 1])
      expect(totals[0]).toContain('pass\\":2'.replaceAll('\\', ''))
    })
  })
})

describe('a state that may not be written', () => {
  it.skipIf(process.getuid?.() === 0)('is counted all the same, and not kept', () => {
    put(ground.state, some(50))
    chmodSync(ground.state, 0o500)
    try {
      withBook(ground, book => expect(book.isOnDisk).toBe(false))
    } finally {
      chmodSync(ground.state, 0o700)
    }
  })
})
