import { afterEach, beforeEach, expect, it } from 'vitest'
import { newSession } from '../../src/engine/index.ts'
import type { SqliteStore } from '../../src/store/index.ts'
import { AT, count, Ground, KEY, memory, NOW, recordOf } from '../support/store/records.ts'
import { verifyStore } from '../support/store/verify-store.ts'

let ground: Ground
let stays: SqliteStore
beforeEach(() => {
  ground = new Ground()
  stays = ground.store({ stays: true })
})
afterEach(() => ground.end())

const step = (store: SqliteStore, at = AT, key = KEY) => store.transact(key, at, ({ session }) => count(session))
const answered = (store: SqliteStore, identity: string, reply: string) =>
  store.transact(KEY, AT, ({ session }) => ({ ...count(session), answer: { identity, reply } }))

it('a store that stays and others take turns: each goes on where the last one ended', () => {
  const comes = ground.store()
  expect([stays, stays, comes, stays, comes, comes, stays, stays].map(store => step(store))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ])
  expect(verifyStore(stays)).toMatchObject({ problems: [] })
  expect(stays.records({ last: 99 })).toHaveLength(8)
})

it('a step that throws is not remembered', () => {
  step(stays)
  const fails = () =>
    stays.transact(KEY, AT, () => {
      throw new Error('no')
    })
  expect(fails).toThrow('no')
  expect(step(stays)).toBe(2)
})

it('a step that cannot be committed is not remembered', () => {
  step(stays)
  const database = ground.database()
  database.exec("CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no room'); END")
  expect(() => step(stays)).toThrow('no room')
  database.exec('DROP TRIGGER full')
  expect(step(stays)).toBe(2)
  expect(verifyStore(stays).problems).toEqual([])
})

it('a step that fails after the session was saved is not remembered', () => {
  for (let nth = 1; nth < 63; nth++) step(stays)
  ground.database().exec("CREATE TRIGGER stuck BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'stuck'); END")
  step(stays, { ...AT, expiryHours: 1 }, { ...KEY, session: 'old' })
  // the 64th record sweeps, and what it would take away is held
  expect(() => step(stays, { ...AT, now: NOW + 2 * 3_600_000 })).toThrow('stuck')
  // nobody else has written since
  expect(step(stays)).toBe(63)
})

it('what another process answered is recalled, and what it took away is gone', () => {
  answered(stays, 'one', 'first')
  const other = ground.store()
  answered(other, 'two', 'second')
  expect([
    stays.recall(KEY, 'one'),
    stays.transact(KEY, AT, ({ recall }) => ({ records: [], result: recall('two') })),
  ]).toEqual(['first', 'second'])
  ground.database().exec('DELETE FROM sessions')
  expect(step(stays)).toBe(1)
})

it('a session whose time is over is swept out of memory too', () => {
  step(stays, { ...AT, expiryHours: 1 })
  const later = { ...AT, now: NOW + 2 * 3_600_000 }
  for (let nth = 0; nth < 64; nth++) step(stays, later, { ...KEY, session: 'other' })
  expect(step(stays, later)).toBe(1)
})

it('a gate that sessions of a project share is the same in all of them', () => {
  const other = { ...KEY, session: 'other' }
  const shared = (key: typeof KEY) =>
    stays.transact(key, AT, ({ session }) => ({ records: [], result: session.shared }))
  step(stays)
  step(stays, AT, other)
  stays.transact(KEY, AT, ({ session }) => ({
    session: { ...session, shared: { g: memory(7) } },
    records: [recordOf()],
    result: 0,
  }))
  expect(shared(other)).toEqual({ g: memory(7) })
  expect(shared(KEY)).toEqual({ g: memory(7) })
})

it('keeps no more than it should, and all of it counts', () => {
  const keys = Array.from({ length: 300 }, (_, nth) => ({ ...KEY, session: `s${nth}` }))
  for (const key of keys) step(stays, AT, key)
  expect(keys.map(key => step(stays, AT, key))).toEqual(keys.map(() => 2))
  const fresh = newSession('s0', '/proj', NOW)
  expect(stays.rootOf(keys[0] ?? KEY)).toBe(fresh.root)
})
