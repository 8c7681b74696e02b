import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasNodeSqlite } from '../../src/store/sqlite/driver.ts'
import { journalModeFor } from '../../src/store/sqlite/journal-mode.ts'
import { AT, count, Ground, KEY, memory, NOW, recordOf } from '../support/store/records.ts'
import { verifyStore } from '../support/store/verify-store.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

it(`runs on the driver this Node has: ${hasNodeSqlite() ? 'node:sqlite' : 'libsql'}`, () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  expect(hasNodeSqlite()).toBe(major > 22 || (major === 22 && minor >= 13))
})

describe('a claim', () => {
  it('is what was last made of it, for whoever opens the store next', () => {
    const store = ground.store()
    expect(store.claim(KEY, 'e')).toBeUndefined()
    expect(store.claim(KEY, 'e', before => (before ? undefined : { until: NOW, by: 'a' }))).toEqual({
      until: NOW,
      by: 'a',
    })
    const other = ground.store()
    expect(other.claim(KEY, 'e', before => (before ? undefined : { until: NOW, by: 'b' }))).toEqual({
      until: NOW,
      by: 'a',
    })
    expect(other.claim(KEY, 'e', () => ({ until: NOW + 1, by: 'b' }))).toEqual({ until: NOW + 1, by: 'b' })
    expect(store.claim(KEY, 'e')).toEqual({ until: NOW + 1, by: 'b' })
  })

  it('is about one event of one session', () => {
    const store = ground.store()
    store.claim(KEY, 'e', () => ({ until: NOW }))
    expect(store.claim(KEY, 'f')).toBeUndefined()
    expect(store.claim({ ...KEY, session: 's2' }, 'e')).toBeUndefined()
    expect(store.claim({ ...KEY, client: 'b' }, 'e')).toBeUndefined()
  })

  it('is swept away when its time is over, or nobody can read it', () => {
    const store = ground.store()
    store.claim(KEY, 'over', () => ({ until: NOW - 1 }))
    store.claim(KEY, 'not over', () => ({ until: NOW + 1 }))
    ground.database().exec("INSERT INTO meta VALUES ('claim x', '{')")
    for (let nth = 0; nth < 64; nth++) store.transact(KEY, AT, ({ session }) => count(session))
    expect(store.claim(KEY, 'over')).toBeUndefined()
    expect(store.claim(KEY, 'not over')).toEqual({ until: NOW + 1 })
    expect(ground.database().prepare("SELECT name FROM meta WHERE name LIKE 'claim %'").all()).toHaveLength(1)
    expect(verifyStore(store).problems).toEqual([])
  })
})

describe('a session', () => {
  it('is what the last step left, for whoever opens the store next', () => {
    expect(ground.store().transact(KEY, AT, ({ session }) => count(session))).toBe(1)
    expect(ground.store().transact(KEY, { ...AT, root: '/other' }, ({ session }) => count(session))).toBe(2)
    expect(ground.store().rootOf(KEY)).toBe('/proj')
  })

  it('is not that of another client or another id', () => {
    const store = ground.store()
    store.transact(KEY, AT, ({ session }) => count(session))
    expect(store.transact({ ...KEY, client: 'b' }, AT, ({ session }) => count(session))).toBe(1)
    expect(store.transact({ ...KEY, session: 's2' }, AT, ({ session }) => count(session))).toBe(1)
    expect(store.rootOf({ ...KEY, session: 'nobody' })).toBeUndefined()
  })

  it('may have any name', () => {
    const store = ground.store()
    for (const name of ['', 'a\0b', 'a\0c', '../x', "'; DROP TABLE sessions", '😀', '\ud800', 'x'.repeat(100_000)]) {
      expect(store.transact({ ...KEY, session: name }, AT, ({ session }) => count(session, { session: name }))).toBe(1)
      expect(store.transact({ ...KEY, session: name }, AT, ({ session }) => count(session, { session: name }))).toBe(2)
    }
    expect(verifyStore(store).problems).toEqual([])
  })

  it('shares the gates of its project', () => {
    const store = ground.store()
    const shared = { p: memory(7) }
    store.transact(KEY, AT, ({ session }) => ({ session: { ...session, shared }, records: [], result: 0 }))
    const see = (session: string, root: string) =>
      store.transact({ ...KEY, session }, { ...AT, root }, loaded => ({ records: [], result: loaded.session.shared }))
    expect(see('s2', '/proj')).toEqual(shared)
    expect(see('s3', '/other')).toEqual({})
  })

  it('stays as it was when the work throws', () => {
    const store = ground.store()
    store.transact(KEY, AT, ({ session }) => count(session))
    const broken = () =>
      store.transact(KEY, AT, () => {
        throw new Error('boom')
      })
    expect(broken).toThrow('boom')
    expect(store.transact(KEY, AT, ({ session }) => count(session))).toBe(2)
    expect(verifyStore(store)).toMatchObject({ ok: true, records: 2 })
  })

  it('is swept away some time after it was last seen, not before', () => {
    const store = ground.store()
    const hour = 3_600_000
    store.transact({ ...KEY, session: 'old' }, AT, ({ session }) => count(session))
    const later = (hours: number) => {
      for (let nth = 0; nth < 64; nth++)
        store.transact(KEY, { ...AT, now: NOW + hours * hour }, ({ session }) => count(session))
    }
    later(11)
    expect(store.rootOf({ ...KEY, session: 'old' })).toBe('/proj')
    later(13)
    expect(store.rootOf({ ...KEY, session: 'old' })).toBeUndefined()
    expect(store.rootOf(KEY)).toBe('/proj')
  })
})

describe('an answer', () => {
  const answered = (identity: string, reply: string) => () => ({
    records: [recordOf()],
    answer: { identity, reply },
    result: 0,
  })

  it('is recalled for the same session and identity only, in a step and before it', () => {
    ground.store().transact(KEY, AT, answered('one\0', 'yes'))
    const store = ground.store()
    expect(store.recall(KEY, 'one\0')).toBe('yes')
    expect(store.recall(KEY, 'one')).toBeUndefined()
    expect(store.recall({ ...KEY, client: 'b' }, 'one\0')).toBeUndefined()
    expect(store.transact(KEY, AT, ({ recall }) => ({ records: [], result: recall('one\0') }))).toBe('yes')
  })

  it('is forgotten after a while', () => {
    const store = ground.store()
    store.transact(KEY, AT, answered('one', 'yes'))
    for (let nth = 0; nth < 64; nth++) store.transact(KEY, { ...AT, now: NOW + 700_000 }, answered(`n${nth}`, 'no'))
    expect(store.recall(KEY, 'one')).toBeUndefined()
  })
})

describe('the files', () => {
  it('are for this user only', () => {
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    const modes = readdirSync(ground.state).map(name => [name, (statSync(ground.file(name)).mode & 0o777).toString(8)])
    expect(Object.fromEntries(modes)).toEqual({
      'audit-head': '600',
      'signalbox.db': '600',
      'signalbox.db-shm': '600',
      'signalbox.db-wal': '600',
    })
    expect((statSync(ground.state).mode & 0o777).toString(8)).toBe('700')
  })

  it('are for this user only again, if someone opened them to others', () => {
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    for (const [name, mode] of [
      ['', 0o755],
      ['signalbox.db', 0o644],
      ['signalbox.db-wal', 0o664],
    ] as const)
      chmodSync(ground.file(name), mode)
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    const modes = ['', 'signalbox.db', 'signalbox.db-wal'].map(name => statSync(ground.file(name)).mode & 0o777)
    expect(modes).toEqual([0o700, 0o600, 0o600])
  })

  it('are in a folder for this user only, whoever made it', () => {
    mkdirSync(ground.state, { mode: 0o755 })
    chmodSync(ground.state, 0o755)
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    expect(statSync(ground.state).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.getuid?.() === 0)('of another user stay as they are', () => {
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    chmodSync(ground.state, 0o755)
    chownSync(ground.state, 12_345, 12_345)
    chmodSync(ground.file('signalbox.db'), 0o644)
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    const modes = ['', 'signalbox.db'].map(name => statSync(ground.file(name)).mode & 0o777)
    expect(modes).toEqual([0o755, 0o600])
  })

  it('have a rollback journal where a write-ahead log would not hold', () => {
    const store = ground.store({ journal: 'delete' })
    store.transact(KEY, AT, ({ session }) => count(session))
    expect(readdirSync(ground.state).sort()).toEqual(['audit-head', 'signalbox.db'])
    const other = new Ground()
    other.store().transact(KEY, AT, ({ session }) => count(session))
    const modes = [ground, other].map(at => at.database().prepare('PRAGMA journal_mode').get())
    expect(modes).toMatchObject([{ journal_mode: 'delete' }, { journal_mode: 'wal' }])
    const kinds = [0x6969, 0x01021997, 0x65735546, -11317950, 0xef53, 0x01021994]
    expect(kinds.map(type => journalModeFor('/', () => type))).toEqual([...Array(4).fill('delete'), 'wal', 'wal'])
  })

  it('of a newer version are left alone', () => {
    ground.store().transact(KEY, AT, ({ session }) => count(session))
    ground.database().exec('PRAGMA user_version = 99')
    expect(() => ground.store().rootOf(KEY)).toThrow('the database was written by a newer Signalbox (schema 99)')
  })
})

const WENT = 'records up to 1 were in an earlier database, as record 2 says'

describe('damage', () => {
  const begin = () => ground.store().transact(KEY, AT, ({ session }) => count(session))
  const loaded = (store = ground.store(), key = KEY, now = NOW) =>
    store.transact(key, { ...AT, now }, ({ session, restarted }) => ({
      ...count(session),
      result: { operations: session.gates.g?.operations, restarted, notices: [...store.notices] },
    }))

  it('of a session is set aside: it begins anew, and knows that it does', () => {
    begin()
    ground.database().exec(`UPDATE sessions SET json = '{"id":1}'`)
    const fresh = { operations: undefined, restarted: true }
    expect(loaded()).toEqual({
      ...fresh,
      notices: ['stored state was damaged and has been reset: the state of this session'],
    })
    expect(loaded()).toEqual({ operations: 1, restarted: true, notices: [] })
    expect(loaded(ground.store(), { ...KEY, session: 'other' })).toEqual({ ...fresh, restarted: false, notices: [] })
    expect(ground.database().prepare('SELECT json FROM damaged').all()).toMatchObject([{ json: '{"id":1}' }])
    expect(
      ground
        .store()
        .records({ last: 9 })
        .map(({ record }) => record.name),
    ).toContain('session.reset')
  })

  it("of a project's shared gates too", () => {
    const shared = { p: memory(7) }
    ground.store().transact(KEY, AT, ({ session }) => ({ session: { ...session, shared }, records: [], result: 0 }))
    ground.database().exec(`UPDATE projects SET json = 'x'`)
    expect(loaded().notices).toEqual(['stored state was damaged and has been reset: the shared gates of this project'])
  })

  it.each([
    ['is no database', (file: string) => writeFileSync(file, 'no database '.repeat(1000))],
    ['has a broken page', spoilPages],
  ])('of a whole file that %s: a new one is begun, and the chain goes on', (_, spoil) => {
    const store = ground.store()
    for (let nth = 0; nth < 300; nth++) store.transact(KEY, AT, ({ session }) => count(session))
    store.close()
    // what is in the log is not lost with the file
    for (const part of ['-wal', '-shm']) rmSync(ground.file() + part, { force: true })
    spoil(ground.file())
    const now = Date.now()
    const { operations, restarted, notices } = loaded(ground.store(), KEY, now)
    expect({ operations, restarted }).toEqual({ operations: undefined, restarted: true })
    expect(notices.join()).toMatch(
      /^the stored state was damaged and was moved to .+damaged-\d{14}-\d+; all sessions start/,
    )
    const flaws = [{ seq: 300, problem: 'records up to 300 were in an earlier database, as record 301 says' }]
    expect(verifyStore(ground.store())).toEqual({ ok: false, records: 2, from: 300, to: 302, problems: flaws })
    expect(loaded(ground.store(), { ...KEY, session: 'b' }, now + 13 * 3_600_000).restarted).toBe(false)
  })

  it('done while the store is open is noticed at the next step', () => {
    const store = ground.store()
    loaded(store)
    for (const part of ['', '-wal', '-shm']) renameSync(ground.file() + part, `${ground.file('moved')}${part}`)
    expect(loaded(store).notices).toEqual(['the stored state was missing; all sessions start again'])
    expect(verifyStore(ground.store())).toMatchObject({ from: 1, to: 3, problems: [{ seq: 1, problem: WENT }] })
  })

  it('that is none of the database is told in one line, and nothing is set aside', () => {
    begin()
    const holder = ground.database()
    holder.exec('BEGIN IMMEDIATE')
    expect(() => loaded()).toThrow(/^the database is locked by another process \(.*signalbox\.db\)$/)
    holder.exec('ROLLBACK')
    expect(readdirSync(ground.state).some(name => name.includes('damaged'))).toBe(false)
  })

  it.each([
    ["another program's database", 'CREATE TABLE sessions (x)'],
    ['a version nobody has', 'PRAGMA user_version = 458753'],
  ])('is %s in its place: it is set aside', (_, sql) => {
    mkdirSync(ground.state)
    const other = ground.database()
    other.exec(`PRAGMA journal_mode = DELETE; CREATE TABLE t (x); ${sql}`)
    other.close()
    expect(loaded(ground.store(), KEY, Date.now())).toMatchObject({ restarted: true })
    expect(readdirSync(ground.state).filter(name => /damaged-[\d-]+$/.test(name))).toHaveLength(1)
  })

  it('of a table that someone dropped: a new database is begun', () => {
    const store = ground.store()
    loaded(store)
    ground.database().exec('DROP TABLE sessions')
    expect(loaded(store, KEY, Date.now())).toMatchObject({ operations: undefined, restarted: true })
    expect(verifyStore(ground.store())).toMatchObject({ from: 1, to: 3, problems: [{ seq: 1, problem: WENT }] })
  })

  it('a folder in its place is told too', () => {
    mkdirSync(ground.file(), { recursive: true })
    expect(() => begin()).toThrow(/^the database cannot be opened \(.*signalbox\.db\)$/)
    expect(existsSync(ground.file())).toBe(true)
  })
})

function spoilPages(file: string): void {
  const length = statSync(file).size
  const bytes = Buffer.alloc(length - 4096, 0xa5)
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, 4096)
  closeSync(handle)
}
