import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type {
  DashboardStatus,
  DecisionPage,
  GateDetail,
  GateList,
  JudgeReply,
  Overview,
  PolicyDetail,
  SessionPage,
} from '../../src/app/dashboard/api.ts'
import { openDriver } from '../../src/store/index.ts'
import { until, withDaemon } from '../support/daemon.ts'
import { past } from '../support/store/past-records.ts'
import { Visitor } from './dashboard-visitor.ts'
import { GATES, isAlive, ui, withDashboard } from './open-dashboard.ts'

describe('the dashboard when something is wrong', { timeout: 60_000 }, () => {
  it('no database, a damaged one, one that is gone and another in its place: told as it is, and over when it is', () =>
    withDashboard(async ({ visitor, daemon, sandbox }) => {
      const file = join(sandbox.home, 'state/signalbox.db')
      const stream = visitor.listen()
      await until(() => stream.of('beat').length === 1)
      expect(existsSync(file)).toBe(false)
      expect(await visitor.get<DashboardStatus>('/api/situation')).toMatchObject({ auditLog: { last: 0 } })
      await daemon.call('ls')
      await until(() => stream.rows.length === 1)
      writeFileSync(file, 'this is no database, but it is long enough to be taken for one'.repeat(100))
      for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
      const { status, text } = await visitor.send('/api/decisions')
      expect([status, JSON.parse(text)]).toEqual([
        503,
        {
          error: expect.stringContaining('the audit log cannot be read: '),
          help: '`signalbox doctor` shows what to do',
        },
      ])
      const told = await visitor.get<DashboardStatus>('/api/situation')
      expect(told).toMatchObject({ empty: { cause: 'unreadable', next: 'signalbox doctor' }, auditLog: { last: 0 } })
      expect(await visitor.get<PolicyDetail>('/api/policy')).toMatchObject({ problems: [] })
      // the next call sets it aside and begins anew
      await daemon.call('git commit -m x')
      await until(() => stream.rows.some(({ outcome }) => outcome === 'DENY'))
      const { rows } = await visitor.get<DecisionPage>('/api/decisions?decision=deny')
      expect(rows).toMatchObject([{ what: 'git commit -m x' }])
      stream.end()
    }))

  it('a database that is damaged in part: the same is said again and again, and what the policy says is told all the same', () =>
    withDashboard(async ({ visitor, daemon, sandbox }) => {
      const file = join(sandbox.home, 'state/signalbox.db')
      await daemon.call('git commit -m x')
      const records = [...past({ records: 600, from: Date.now(), days: 0.001 })]
      const around = { root: sandbox.project, now: Date.now(), expiryHours: 1 }
      sandbox.store(store => store.transact({ client: 'past', session: '' }, around, () => ({ records, result: 0 })))
      expect(await visitor.get<DashboardStatus>('/api/situation')).toMatchObject({
        empty: null,
        project: sandbox.project,
      })
      await daemon.end()
      const driver = openDriver(file)
      driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
      driver.close()
      const bytes = readFileSync(file)
      expect(bytes.length).toBeGreaterThan(100_000)
      writeFileSync(file, bytes.fill(0xff, 50_000))
      await daemon.start()
      const again = await Visitor.enter((await ui(daemon)).url)
      const stream = again.listen()
      const told = [await again.get<DashboardStatus>('/api/situation')]
      for (const path of ['/api/decisions', '/api/decisions?before=3', '/api/sessions', '/api/overview?since=1h'])
        await again.send(path)
      for (let nth = 0; nth < 3; nth++) told.push(await again.get<DashboardStatus>('/api/situation'))
      for (const { auditLog: trail, empty, project, verdict } of told) {
        expect({ trail, empty, project }).toEqual({
          trail: { first: 0, last: 0, lastAt: null, problem: `the database is damaged (${file})` },
          empty: { cause: 'unreadable', text: `the database is damaged (${file})`, next: 'signalbox doctor' },
          project: sandbox.project,
        })
        expect(verdict).toEqual(told[0]?.verdict)
      }
      await until(() => stream.of('trouble').length > 0)
      expect((await again.get<GateList>('/api/gates')).gates.map(({ name }) => name)).toContain('tests-before-commit')
      const gate = await again.get<GateDetail>('/api/gates/project%2Ftests-before-commit')
      expect(gate).toMatchObject({ states: [{ state: 'closed' }, { state: 'open' }], history: { rows: [] } })
      const judged = await again.post<JudgeReply>('/api/judge', { client: 'claude-code', event: 'git commit -m x' })
      expect(judged.now.decision).toBe('deny')
      // whoever puts it out of the way is rid of it
      for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
      await daemon.call('git commit -m y')
      await until(() => stream.rows.some(({ outcome }) => outcome === 'DENY'))
      const { auditLog: trail, empty } = await again.get<DashboardStatus>('/api/situation')
      expect([trail.problem, empty]).toEqual([undefined, null])
      stream.end()
    }))

  it('what stands beside the trail is damaged, or cannot be written: it is made anew, or done without', () =>
    withDashboard(async ({ visitor, daemon, sandbox }) => {
      const state = join(sandbox.home, 'state')
      await daemon.call('git commit -m x')
      const denied = async () => (await visitor.get<DecisionPage>('/api/decisions?decision=deny')).rows.length
      expect(await denied()).toBe(1)
      for (const name of ['lookup.db', 'stats.db']) {
        for (const part of ['-wal', '-shm']) rmSync(join(state, name + part), { force: true })
        writeFileSync(join(state, name), 'no database at all '.repeat(500))
      }
      // one question may find it out; the next has it made anew
      await visitor.send('/api/decisions?decision=deny')
      expect(await denied()).toBe(1)
      await visitor.send('/api/overview')
      expect(await visitor.get<Overview>('/api/overview')).toMatchObject({ totals: { denied: 1 } })
    }))

  it('nothing can be kept beside the trail: it is counted and sorted in memory', () =>
    withDaemon(
      async daemon => {
        const state = join(daemon.sandbox.home, 'state')
        await daemon.start()
        for (const name of ['lookup.db', 'stats.db']) mkdirSync(join(state, name))
        await daemon.call('git commit -m x')
        const visitor = await Visitor.enter((await ui(daemon)).url)
        expect(await visitor.get<Overview>('/api/overview')).toMatchObject({ totals: { denied: 1 } })
        expect(await visitor.get<SessionPage>('/api/sessions')).toMatchObject({ rows: [{ denied: 1 }] })
      },
      { project: GATES },
    ))

  it('a broken policy: its problems are told, and everything else goes on', () =>
    withDashboard(async ({ visitor, daemon, sandbox }) => {
      await daemon.call('git commit -m x')
      appendFileSync(join(sandbox.project, 'signalbox.yaml'), '  broken: { rulez: [] }\n')
      await new Promise(done => setTimeout(done, 1100))
      const policy = await visitor.get<PolicyDetail>('/api/policy')
      expect(policy.problems).toMatchObject([{ message: expect.stringContaining('rulez') }])
      expect(policy.layers[0]).toMatchObject({ layer: 'project', state: 'last-good' })
      expect(await visitor.get<DashboardStatus>('/api/situation')).toMatchObject({ policy: { problems: 1 } })
      expect((await visitor.get<GateList>('/api/gates')).gates.map(({ name }) => name)).toContain('tests-before-commit')
      expect((await visitor.send('/api/decisions/1')).status).toBe(200)
    }))

  it('a page that never reads and a hundred that say nothing: hooks and other pages do not wait', () =>
    withDashboard(async ({ visitor, daemon }) => {
      const deaf = visitor.listen('/api/stream?all=1')
      await until(() => deaf.response !== undefined)
      deaf.response?.pause()
      const sockets: Socket[] = Array.from({ length: 100 }, () =>
        connect(visitor.port, '127.0.0.1').on('error', () => {}),
      )
      await Promise.all(sockets.map(socket => once(socket, 'connect')))
      const began = Date.now()
      expect(await daemon.call('git commit -m x')).toMatchObject({ status: 0 })
      expect((await visitor.send('/api/situation')).status).toBe(200)
      expect(Date.now() - began).toBeLessThan(3000)
      const others = Array.from({ length: 33 }, () => visitor.listen())
      await until(() => others.every(one => one.response !== undefined || one.isOver))
      const statuses = others.map(one => one.response?.statusCode)
      expect([statuses.filter(one => one === 200).length, statuses.filter(one => one === 503).length]).toEqual([31, 2])
      const [first] = others
      await daemon.call('git commit -m y')
      await until(() => first?.rows.length === 2 || first?.rows.at(-1)?.what === 'git commit -m y')
      for (const one of [deaf, ...others]) one.end()
      for (const socket of sockets) socket.destroy()
      const again = visitor.listen()
      await until(() => again.response?.statusCode === 200)
      again.end()
    }))

  it('the daemon is replaced: the next dashboard is at the same place, and what let in before is worth nothing', () =>
    withDashboard(async ({ visitor, daemon }) => {
      const stream = visitor.listen()
      await until(() => stream.of('beat').length === 1)
      await daemon.call('ls')
      await until(() => stream.rows.length === 1)
      // as another program would: the one before leaves, the next one starts
      await daemon.end()
      await until(() => stream.isOver)
      await daemon.start()
      const { url } = await ui(daemon)
      await daemon.call('echo 2')
      const next = await Visitor.enter(url)
      // somebody else may have listened there meanwhile, and have been told what the page holds
      expect([next.port, (await visitor.send('/api/situation')).status]).toEqual([visitor.port, 401])
      const again = next.listen('/api/stream', '1')
      await until(() => again.rows.length === 1)
      expect(again.rows).toMatchObject([{ n: 2, what: 'echo 2' }])
      again.end()
    }))

  it('a port that is taken is said, and the dashboard stays where it is', () =>
    withDashboard(async ({ visitor, daemon }) => {
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const address = taken.address()
      const port = typeof address === 'object' && address ? address.port : 0
      await expect(ui(daemon, '--port', String(port))).rejects.toThrow()
      taken.close()
      expect((await visitor.send('/api/situation')).status).toBe(200)
      // its own port is no other one
      expect((await ui(daemon, '--port', String(visitor.port))).port).toBe(visitor.port)
      expect((await visitor.send('/api/situation')).status).toBe(200)
    }))

  it('connections that are never closed by the other side do not lock others out', () =>
    withDashboard(async ({ visitor }) => {
      const sockets = Array.from({ length: 260 }, () => {
        const socket = connect({ port: visitor.port, host: '127.0.0.1', allowHalfOpen: true })
        socket.on('error', () => {}).write('GET / HTTP/1.1 and more\r\n\r\n')
        return socket
      })
      const isLetIn = () =>
        visitor.send('/api/situation').then(
          ({ status }) => status === 200,
          () => false,
        )
      for (let tries = 0; tries < 100 && !(await isLetIn()); tries++) await new Promise(done => setTimeout(done, 100))
      expect(await isLetIn()).toBe(true)
      for (const socket of sockets) socket.destroy()
    }))

  it('stays while a page is open, and goes when nobody looks', () =>
    withDashboard(async ({ daemon }) => {
      await daemon.end()
      await daemon.start({ SIGNALBOX_DAEMON_IDLE_MS: '700' })
      const { url, pid } = await ui(daemon)
      const stream = (await Visitor.enter(url)).listen()
      await until(() => stream.of('beat').length === 1)
      await new Promise(done => setTimeout(done, 1800))
      expect([daemon.hasEnded, isAlive(pid)]).toEqual([false, true])
      stream.end()
      await until(() => daemon.hasEnded && !isAlive(pid), 20_000)
      expect(daemon.log).toContain('stops: idle')
    }))
})
