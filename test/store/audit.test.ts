import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChainHeadFile } from '../../src/store/audit-log/chain-head.ts'
import { verifyChain } from '../../src/store/audit-log/verify-chain.ts'
import { write } from '../support/store/audit-records.ts'
import { AT, count, Ground, KEY, NOW, recordOf } from '../support/store/records.ts'
import { verifyStore } from '../support/store/verify-store.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const DAY = 86_400_000

function fill(records: number, options: Parameters<Ground['store']>[0] = {}, now = NOW): void {
  const store = ground.store(options)
  for (let nth = 0; nth < records; nth++)
    store.transact(KEY, { ...AT, now }, ({ session }) => count(session, { at: now, turn: nth, gate: 'g', rule: 'r' }))
  store.close()
}

const verified = () => verifyStore(ground.store())

describe('the audit trail', () => {
  it('keeps a record as it was given', () => {
    const record = recordOf({ decision: 'deny', gate: 'project/g', rule: 'no-push', reason: 'Do not push.', ms: 0.42 })
    ground.store().transact(KEY, AT, () => ({ records: [record], result: 0 }))
    const [first] = ground.store().records({ last: 5 })
    expect(first?.record).toEqual(record)
    expect(verified()).toEqual({ ok: true, records: 1, from: 0, to: 1, problems: [] })
  })

  it.each<[string, string, number, RegExp]>([
    ['a changed record', `UPDATE records SET json = replace(json, 'pass', 'deny') WHERE seq = 4`, 4, /was changed/],
    ['a record that is no JSON any more', `UPDATE records SET json = '{' WHERE seq = 4`, 4, /was changed/],
    ['a changed hash', `UPDATE records SET hash = '${'a'.repeat(64)}' WHERE seq = 4`, 4, /was changed/],
    ['a removed record', 'DELETE FROM records WHERE seq = 4', 4, /record 4 is missing/],
    ['several removed', 'DELETE FROM records WHERE seq IN (4, 5)', 4, /records 4 to 5 are missing/],
    ['the first removed', 'DELETE FROM records WHERE seq = 1', 1, /records? 1 is missing/],
    [
      'the first removed and hidden',
      `INSERT INTO meta SELECT 'anchor', json_object('seq', seq, 'hash', hash) FROM records WHERE seq = 2;
       DELETE FROM records WHERE seq <= 2`,
      2,
      /no record says why/,
    ],
    ['the tail cut off', 'DELETE FROM records WHERE seq > 7', 8, /records 8 to 10 were removed/],
    ['everything cut off', 'DELETE FROM records', 1, /records 1 to 10 were removed/],
    [
      'two exchanged',
      `UPDATE records SET seq = -1 WHERE seq = 4; UPDATE records SET seq = 4 WHERE seq = 5;
       UPDATE records SET seq = 5 WHERE seq = -1`,
      4,
      /record 5 is in the place of record 4/,
    ],
    [
      'the last one replaced',
      `UPDATE records SET json = replace(json, 'pass', 'deny') WHERE seq = 10`,
      10,
      /record 10 was changed/,
    ],
  ])('shows %s', (_, sql, seq, problem) => {
    fill(10)
    ground.database().exec(sql)
    const { ok, problems } = verified()
    expect(ok).toBe(false)
    expect(problems[0]).toEqual({ seq, problem: expect.stringMatching(problem) })
  })

  it('shows a tail that was cut off and grew again', () => {
    fill(10)
    ground.database().exec('DELETE FROM records WHERE seq > 7')
    for (let turn = 90; turn < 95; turn++)
      ground.store().transact(KEY, AT, () => ({ records: [recordOf({ turn })], result: 0 }))
    const { ok, problems } = verified()
    expect([ok, problems[0]]).toEqual([
      false,
      { seq: 8, problem: 'record 8 was written twice: an earlier one was removed' },
    ])
  })

  it('shows it however much was written since', () => {
    fill(10)
    ground.database().exec('DELETE FROM records WHERE seq > 7')
    fill(600)
    expect(verified().problems[0]?.problem).toBe('record 8 was written twice: an earlier one was removed')
  })

  it('has its head back soon when someone takes the file away from a process that stays', () => {
    const store = ground.store()
    const step = () => store.transact(KEY, AT, ({ session }) => count(session))
    step()
    rmSync(ground.file('audit-head'))
    for (let nth = 0; nth < 40; nth++) step()
    expect(readFileSync(ground.file('audit-head'), 'utf8')).toMatch(/^lost 32\n[\s\S]*\n41 /)
  })

  it('shows a record put in front of the chain', () => {
    fill(3)
    ground.database().exec('INSERT INTO records (seq, json, hash) SELECT -5, json, hash FROM records WHERE seq = 1')
    expect(verified().problems[0]).toEqual({ seq: -5, problem: 'record -5 is before the start of the chain' })
  })

  it('shows a tail that was written anew', () => {
    fill(10)
    const head = readFileSync(ground.file('audit-head'), 'utf8')
    ground.database().exec('DELETE FROM records WHERE seq = 10')
    ground.store().transact(KEY, AT, () => ({ records: [recordOf({ turn: 99 })], result: 0 }))
    writeFileSync(ground.file('audit-head'), head)
    expect(verified().problems).toEqual([{ seq: 10, problem: 'record 10 was changed' }])
  })

  it('shows that its head is gone', () => {
    fill(3)
    rmSync(ground.file('audit-head'))
    expect(verified().problems).toEqual([{ seq: 3, problem: 'the file `audit-head` is missing' }])
    // and it does not heal by going on
    fill(1)
    expect(verified().problems.map(flaw => flaw.problem)).toEqual(['the file `audit-head` was removed before record 4'])
  })

  it('takes a head that a killed writer left behind: each was announced before it was there', () => {
    fill(3)
    const lines = readFileSync(ground.file('audit-head'), 'utf8').trimEnd().split('\n')
    const announced = lines.filter(line => line.startsWith('+') || line.startsWith('1 '))
    const head = (text: string) => writeFileSync(ground.file('audit-head'), text)
    // killed between the commit and the line after it, twice
    head(`${announced.join('\n')}\n12 cut in the mid`)
    expect(verified().ok).toBe(true)
    // killed between the line before the commit and the commit
    head(`${lines.join('\n')}\n+4 ${'a'.repeat(64)} 3 ${lines.at(-1)?.slice(2, 18)}\n`)
    expect(verified().ok).toBe(true)
    fill(3)
    expect(verified()).toMatchObject({ ok: true, to: 6 })
    // and one that knows of the first only
    head(`${lines.slice(0, 2).join('\n')}\n`)
    expect(verified().problems).toEqual([
      { seq: 2, problem: 'the file `audit-head` ends at record 1: later records are unverified' },
    ])
  })

  it('does not take what others write meanwhile for what nobody vouches for', () => {
    fill(10)
    const store = ground.store()
    let more = 0
    const step = () => store.transact(KEY, AT, ({ session }) => count(session, { turn: more++ }))
    const head = new ChainHeadFile(ground.file('audit-head'))
    const driver = ground.database()
    // before the snapshot is taken, and after it
    const asked = () => {
      const found = head.read()
      for (let nth = 0; nth < 70; nth++) step()
      return found
    }
    expect(verifyChain(driver, asked)).toEqual({ ok: true, records: 80, from: 0, to: 80, problems: [] })
  })

  it('keeps its head file small', () => {
    fill(1600)
    expect(readFileSync(ground.file('audit-head'), 'utf8').split('\n').length).toBeLessThan(600)
    expect(verified()).toMatchObject({ ok: true, to: 1600 })
  })
})

describe('replies kept for an event that comes again', () => {
  const MINUTE = 60_000
  const kept = () => ground.database().prepare('SELECT count(*) AS n FROM records WHERE reply IS NOT NULL').get()?.n
  const answer = (now: number, options: Parameters<Ground['store']>[0] = {}) => {
    const store = ground.store(options)
    store.transact(KEY, { ...AT, now }, ({ session }) => ({
      session,
      records: [recordOf({ at: now })],
      answer: { identity: `e${now}`, reply: { text: 'hidden in the record' } },
      result: 0,
    }))
    return store
  }
  afterEach(() => {
    vi.useRealTimers()
  })

  it('go when the store is opened after their time, though nothing else happens', () => {
    answer(Date.now() - 11 * MINUTE).close()
    answer(Date.now() - 5 * MINUTE).close()
    ground.store().records({ last: 1 })
    expect(kept()).toBe(1)
  })

  it('go when a process that stays has nothing to do, and when it ends', () => {
    vi.useFakeTimers({ now: Date.now() })
    const store = answer(Date.now(), { stays: true })
    expect(kept()).toBe(1)
    vi.advanceTimersByTime(11 * MINUTE)
    expect(kept()).toBe(0)
    // nor does the log of the database still hold them
    for (const part of ['', '-wal'])
      expect(readFileSync(ground.file(`signalbox.db${part}`), 'latin1')).not.toContain('hidden in the record')
    answer(Date.now(), { stays: true })
    vi.setSystemTime(Date.now() + 11 * MINUTE)
    store.close()
    expect(kept()).toBe(0)
  })

  it('do not stay for a clock that was ahead', () => {
    answer(NOW + 365 * DAY)
    fill(130, {}, NOW)
    expect(kept()).toBe(0)
  })
})

describe('retention', () => {
  it('is not held up by a record that somebody has damaged', () => {
    fill(254)
    const driver = ground.database()
    driver.prepare(`UPDATE records SET json = 'garbage' WHERE seq = 5`).run()
    driver.close()
    fill(300, {}, NOW + 91 * DAY)
    expect(ground.store().records({ last: 1 })[0]?.seq).toBeGreaterThan(550)
  })

  it('removes what is old, and the chain stays whole', () => {
    fill(100)
    fill(30, {}, NOW + 91 * DAY)
    const { ok, from, to, records, problems } = verified()
    expect({ ok, problems }).toEqual({ ok: true, problems: [] })
    expect({ from, to, records }).toEqual({ from: 100, to: 131, records: 31 })
    expect(
      ground
        .store()
        .records({ last: 9 })
        .find(({ record }) => record.name === 'audit.retention'),
    ).toMatchObject({
      record: { client: 'signalbox', anchor: { seq: 100 } },
    })
  })

  it('removes the oldest when there is too much', () => {
    fill(2000, { limits: { days: 90, bytes: 400_000 } })
    const { ok, from, to } = verified()
    expect(ok).toBe(true)
    expect(from).toBeGreaterThan(500)
    expect(to).toBeGreaterThanOrEqual(2000)
  })

  it.each<[string, number]>([
    ['one record', 1],
    ['more than are removed at once', 2500],
  ])('is not held up by %s of a time that is still to come', (_, many) => {
    write(
      ground.state,
      Array.from({ length: many }, () => ({ at: NOW + 5 * 365 * DAY })),
    )
    fill(200, {}, NOW - 100 * DAY)
    fill(200, {}, NOW)
    expect(verified()).toMatchObject({ ok: true, from: many > 2000 ? expect.any(Number) : 201 })
    fill(200, {}, NOW)
    expect(verified()).toMatchObject({ ok: true, from: many + 200 })
  })

  it('a clock that is set back removes nothing', () => {
    fill(300)
    fill(300, {}, NOW - 6 * 365 * DAY)
    expect(verified()).toMatchObject({ ok: true, from: 0, records: 600 })
  })

  it('a clock that leaps ahead removes nothing on its first day; one that stays there does', () => {
    const then = NOW + 5 * 365 * DAY
    fill(300)
    fill(300, {}, then)
    expect(verified()).toMatchObject({ ok: true, from: 0, records: 600 })
    fill(300, {}, then + 1.1 * DAY)
    expect(verified()).toMatchObject({ ok: true, from: 300 })
  })

  it('is not told by one record that says it is old how old those before it are', () => {
    fill(300)
    write(ground.state, [{ at: 0 }])
    fill(300)
    expect(verified()).toMatchObject({ ok: true, from: 0 })
  })

  it('never removes the last record', () => {
    fill(64, { limits: { days: 0, bytes: 0 } })
    fill(64, { limits: { days: 0, bytes: 0 } }, NOW + DAY)
    expect(verified().ok).toBe(true)
    expect(verified().records).toBeGreaterThan(0)
  })
})
