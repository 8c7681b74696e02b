import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordAction } from '../../src/app/cli/commands/bypass/active-bypasses.ts'
import type { GateVariables, Session } from '../../src/engine/index.ts'
import { recordUndecodablePayload } from '../../src/hook/failure/undecodable-payload.ts'
import type { Database } from '../../src/store/database.ts'
import { Connection, type LoadedSession, WorkflowStore } from '../../src/store/index.ts'
import { BusyRetry } from '../../src/store/sqlite/driver.ts'
import { AT, Ground, KEY, NOW, recordOf } from '../support/store/records.ts'
import { verifyStore } from '../support/store/verify-store.ts'

/** A process that stays, whose database SQLite writes no more: no disk is needed for that. */
class Resident {
  readonly connection: Connection
  readonly store: WorkflowStore

  constructor(state: string) {
    this.connection = new Connection(state, { stays: true })
    this.store = new WorkflowStore(this.connection)
  }

  break = (): unknown => this.set('PRAGMA query_only = ON')
  mend = (): unknown => this.set('PRAGMA query_only = OFF')

  private set(pragma: string): unknown {
    const set = ({ driver }: Database): unknown => driver.exec(pragma)
    return this.connection.use(new BusyRetry(), set, set)
  }
}

let ground: Ground
let resident: Resident
beforeEach(() => {
  ground = new Ground()
  mkdirSync(ground.state, { mode: 0o700 })
  resident = new Resident(ground.state)
})
afterEach(() => {
  vi.unstubAllEnvs()
  resident.connection.close()
  ground.end()
})

const A = { client: 'any', session: 'a' }
const B = { client: 'any', session: 'b' }

let clock = NOW
const gate = (state: 'open' | 'closed'): GateVariables => ({
  state,
  operations: 0,
  changed: { at: clock, turn: 0, operations: 0 },
})

/** One event: what it saw, after it has changed the session. */
function event(
  store: WorkflowStore,
  key = KEY,
  change: (session: Session) => Partial<Session> = () => ({}),
): LoadedSession {
  clock += 1000
  return store.transact(key, { ...AT, now: clock }, loaded => ({
    session: { ...loaded.session, turn: loaded.session.turn + 1, seenAt: clock, ...change(loaded.session) },
    records: [recordOf()],
    result: loaded,
  }))
}
const shares = (state: 'open' | 'closed') => () => ({ shared: { tests: gate(state) } })
const owns = (state: 'open' | 'closed') => () => ({ gates: { own: gate(state) } })
const sharedOf = ({ session }: LoadedSession) => session.shared.tests?.state
const ownOf = ({ session }: LoadedSession) => session.gates.own?.state

describe('what a process that stays keeps until it can be written', () => {
  it('a gate of the project that another session closes afterwards stays closed', () => {
    event(resident.store, A, shares('open'))
    resident.break()
    expect(sharedOf(event(resident.store, A))).toBe('open')
    resident.mend()
    event(resident.store, B, shares('closed'))
    expect(sharedOf(event(resident.store, A))).toBe('closed')
    expect(sharedOf(event(resident.store, B))).toBe('closed')
    expect(sharedOf(event(ground.store(), B))).toBe('closed')
  })

  it('a gate of the project that one session closes meanwhile is closed to the others, then and later', () => {
    event(resident.store, A, shares('open'))
    event(resident.store, B)
    resident.break()
    event(resident.store, A, shares('closed'))
    expect(sharedOf(event(resident.store, B))).toBe('closed')
    expect(sharedOf(event(resident.store, { ...A, session: 'new' }))).toBe('closed')
    resident.mend()
    expect(sharedOf(event(resident.store, B))).toBe('closed')
    expect(sharedOf(event(ground.store(), A))).toBe('closed')
  })

  it('a session that another process has stored since is not overwritten', () => {
    event(resident.store, A, session => ({ ...owns('open')(), ...shares('open')(), turn: session.turn }))
    resident.break()
    event(resident.store, A)
    event(ground.store(), A, session => ({ ...owns('closed')(), ...shares('closed')(), turn: session.turn + 50 }))
    const seen = event(resident.store, A)
    expect([ownOf(seen), sharedOf(seen)]).toEqual(['closed', 'closed'])
    resident.mend()
    const after = event(resident.store, A)
    expect([ownOf(after), sharedOf(after)]).toEqual(['closed', 'closed'])
    expect(after.session.turn).toBeGreaterThanOrEqual(50)
  })

  it('what closed meanwhile is closed, though another process has stored the session since', () => {
    event(resident.store, A, () => ({ ...owns('open')(), ...shares('open')() }))
    resident.break()
    event(resident.store, A, () => ({ ...owns('closed')(), ...shares('closed')() }))
    event(ground.store(), A)
    resident.mend()
    event(resident.store, B)
    const after = event(ground.store(), A)
    expect([ownOf(after), sharedOf(after)]).toEqual(['closed', 'closed'])
  })

  it('all of it is saved with the first step of anybody, and none if that fails', () => {
    event(resident.store, A)
    resident.break()
    event(resident.store, A, owns('closed'))
    event(resident.store, { ...A, session: 'new' }, owns('closed'))
    expect(resident.store.rootOf({ ...A, session: 'new' })).toBe(AT.root)
    resident.mend()
    const fails = () =>
      resident.store.transact(B, AT, () => {
        throw new Error('no')
      })
    expect(fails).toThrow('no')
    expect(ownOf(event(ground.store(), A))).toBeUndefined()
    event(resident.store, B)
    expect(ownOf(event(ground.store(), A))).toBe('closed')
    expect(ownOf(event(ground.store(), { ...A, session: 'new' }))).toBe('closed')
    expect(verifyStore(resident.store)).toMatchObject({ problems: [] })
  })
})

/** Root may look into every folder: a link to itself cannot be followed by anybody. */
const UNSEARCHABLE = {
  'a folder of another user': (path: string) => mkdirSync(path, { mode: 0o000 }),
  'a link to itself': (path: string) => symlinkSync(path, path),
}

describe.each(Object.entries(UNSEARCHABLE))('with %s for temporary files', (_, make) => {
  let temporary: string
  beforeEach(() => {
    temporary = join(ground.folder, 'temporary')
    make(temporary)
    vi.stubEnv('TMPDIR', temporary)
  })
  afterEach(() => {
    if (make === UNSEARCHABLE['a folder of another user']) chmodSync(temporary, 0o700)
  })

  it('a state that can be written is', () => {
    const store = ground.store()
    expect([event(store), event(store)].map(({ unwritable }) => unwritable)).toEqual([undefined, undefined])
    expect(store.records({ last: 9 })).toHaveLength(2)
  })

  it('an event after the gap is judged once', () => {
    event(resident.store)
    resident.break()
    expect(event(resident.store).unwritable?.why).toMatch('the database cannot be written')
    resident.mend()
    const judged = vi.fn(() => ({ gates: {} }))
    expect(event(resident.store, KEY, judged).unwritable).toBeUndefined()
    expect(judged).toHaveBeenCalledTimes(1)
  })
})

it('who must know that it is on record is told that it is not', () => {
  event(resident.store, A)
  const unread = { client: 'any', root: '/proj', now: NOW, why: 'no JSON', refused: false }
  const folders = { state: ground.state } as Parameters<typeof recordUndecodablePayload>[2]
  expect(recordUndecodablePayload(unread, resident.store, folders)).toBe(true)
  resident.break()
  expect(recordUndecodablePayload(unread, resident.store, folders)).toBe(false)
  expect(() => resident.store.saveRun(RUN)).toThrow('the database cannot be written')
})

const RUN = {
  ...{ id: 'r', workflow: 'w', root: '/proj', request: 'x', state: 'running' as const, at: NOW, changed: NOW },
  ...{ pid: 1, born: '', plan: [], steps: [] },
}

/** A folder in which nobody makes another. */
const NOWHERE = '/sys/signalbox'

it.runIf(process.platform === 'linux')('where nothing can ever be stored, nothing counts as stored', () => {
  vi.stubEnv('TMPDIR', ground.folder)
  const store = new WorkflowStore(NOWHERE)
  expect(event(store).unwritable?.why).toMatch('the database cannot be written')
  expect(() => store.saveRun(RUN)).toThrow('the database cannot be written')
  store.close()
  const said: string[] = []
  const terminal = { err: (text: string) => said.push(text) }
  recordAction(
    { state: NOWHERE, data: NOWHERE } as Parameters<typeof recordAction>[0],
    'off.start',
    'x',
    terminal as never,
  )
  expect(said.join('')).toMatch(/^NOT RECORDED .*the database cannot be written/)
})
