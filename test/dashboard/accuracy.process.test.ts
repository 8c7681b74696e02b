import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type {
  DashboardStatus,
  DecisionDetail,
  DecisionPage,
  GateDetail,
  Overview,
  SessionDetail,
} from '../../src/app/dashboard/api.ts'
import { DashboardRecords } from '../../src/app/dashboard/archive.ts'
import { openDriver } from '../../src/store/index.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { until } from '../support/daemon.ts'
import { withSandbox } from '../support/sandbox.ts'
import { past } from '../support/store/past-records.ts'
import { GATES, type Opened, withDashboard } from './open-dashboard.ts'

const PASSED = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', stderr: '', interrupted: false } }

const play = ({ daemon, sandbox }: Opened, line: string, more: object = {}) =>
  daemon.call('', { payload: payloadOf(line, sandbox.project, more) })

const numbersOf = async ({ visitor }: Opened, text: string) =>
  (await visitor.get<DecisionPage>(`/api/decisions?all=1&text=${encodeURIComponent(text)}`)).rows.map(one => one.n)

describe('what is shown is what happened', { timeout: 60_000 }, () => {
  it('a line is shown as it was typed, and its end explained by how its commands are joined', () =>
    withDashboard(async opened => {
      const { visitor, sandbox } = opened
      const lines = ['npm test | tail -5', 'npm test || true', 'npm test; ls', 'npm test & ls', 'cd . && npm test']
      for (const line of lines) await play(opened, line, PASSED)
      const { rows } = await visitor.get<DecisionPage>('/api/decisions?all=1')
      expect(rows.map(one => one.what).reverse()).toEqual(lines)
      const told = async (n: number) =>
        JSON.stringify((await visitor.get<DecisionDetail>(`/api/decisions/${n}`)).explained)
      expect(await told(1)).toContain('the exit status is that of the last command of the pipe')
      expect(await told(2)).toContain('`||` hides its failure')
      expect(await told(3)).toContain('the exit status is that of the last command')
      expect(await told(4)).toContain('it runs in the background')
      for (const n of [1, 2, 3, 4]) expect(await told(n)).not.toMatch(/the agent does not report|is not recorded/)
      expect((await sandbox.run(['log', '--all'])).stdout).toContain('npm test | tail -5')
      expect((await sandbox.run(['explain', '1'])).stdout).toMatch(/^pass {2}npm test \| tail -5 {2}#1/)
    }))

  it('a call in the background, and a client that does not say how it ended, are told from a pipe', () =>
    withDashboard(async opened => {
      const { visitor, daemon, sandbox } = opened
      const launched = { ...PASSED, tool_response: { backgroundTaskId: 'b1' } }
      await play(opened, 'npm test', { ...launched, tool_input: { command: 'npm test', run_in_background: true } })
      await daemon.call('', { client: 'codex-cli', payload: payloadOf('npm test', sandbox.project, PASSED) })
      const told = async (n: number) =>
        JSON.stringify((await visitor.get<DecisionDetail>(`/api/decisions/${n}`)).explained)
      expect(await told(1)).toContain('it runs in the background, so its end is not reported')
      expect(await told(2)).toContain('the agent does not report how it ended')
    }))

  it('a search finds what was typed, what is shown, gates, rules, subagents and sessions', () =>
    withDashboard(async opened => {
      await play(opened, 'git commit -am "payments 8" | cat', { session_id: 'ec48c90d-1' })
      await play(opened, 'npm test | tail -5', { agent_id: 'a77', agent_type: 'reviewer' })
      await play(opened, 'ls')
      for (const text of [
        'git commit -am "payments 8"',
        "commit -am 'payments 8' | cat",
        'tests-before-commit',
        'rule-1',
        'EC48C90D',
      ])
        expect([text, await numbersOf(opened, text)]).toEqual([text, [1]])
      for (const text of ['npm test | tail -5', 'npm test; tail', 'test | tail', 'reviewer', 'a77'])
        expect([text, await numbersOf(opened, text)]).toEqual([text, [2]])
      for (const text of ['npm tail', 'no such thing', 'payments 9']) expect(await numbersOf(opened, text)).toEqual([])
      expect((await opened.sandbox.run(['log', '--grep', 'npm test | tail -5'])).stdout).toContain('npm test | tail -5')
    }))

  it('a search finds a row by what it shows: a path in the project, a gate that moved, a note', () =>
    withDashboard(async opened => {
      const { sandbox } = opened
      const write = { tool_name: 'Write', tool_input: { file_path: `${sandbox.project}/src/cart.ts`, content: 'x' } }
      await play(opened, 'npm test', PASSED)
      await play(opened, '', write)
      await play(opened, 'npm testing')
      for (const [text, found] of [
        ['write src/cart.ts', [2]],
        ['opens tests-before-commit', [1]],
        ['closes tests-before-commit', [2]],
        ['CLOSES', [2]],
        ['opens no-push', []],
        ['read src/cart.ts', []],
      ] as const)
        expect([text, await numbersOf(opened, text)]).toEqual([text, found])
      expect((await sandbox.run(['log', '--grep', 'closes tests-before-commit'])).stdout).toContain('src/cart.ts')
      for (const part of ['', '-wal', '-shm']) rmSync(join(sandbox.home, `state/signalbox.db${part}`), { force: true })
      await play(opened, 'ls')
      const { rows } = await opened.visitor.get<DecisionPage>('/api/decisions?all=1')
      const note = rows.find(({ outcome }) => outcome === 'note')
      expect(await numbersOf(opened, note?.what ?? 'no note')).toEqual([note?.n])
    }))

  it('what a secret was hidden in, and texts that are given to commands, are kept in no line', () =>
    withDashboard(async ({ sandbox, visitor, ...opened }) => {
      const all = { ...opened, sandbox, visitor }
      const secret = 'hunter2hunter2'
      await play(all, `echo ${secret} | docker login --password-stdin registry`)
      await play(all, `curl -H "Authorization: Bearer ${secret}" https://example.com | jq .`)
      await play(all, `echo ${secret} > .env && npm test`)
      await play(all, `cat > notes.txt <<EOF\n${secret} in a letter\nEOF\nnpm test | tail`)
      const { stdout } = await sandbox.run(['log', '--json', '--all'])
      expect(stdout).not.toContain(secret)
      const { rows } = await visitor.get<DecisionPage>('/api/decisions')
      expect(rows[0]?.what).toMatch(/^cat > notes\.txt <<EOF … ⏎ npm test \| tail$/)
      expect(rows[2]?.what).toMatch(/\[redacted\].* \| jq \.$/)
    }))
})

describe('stuck now', { timeout: 60_000 }, () => {
  const tries = async (opened: Opened, session: string) => {
    for (let nth = 0; nth < 5; nth++) await play(opened, 'git commit -m x', { session_id: session })
  }
  const stuck = async ({ visitor }: Opened) =>
    (await visitor.get<Overview>('/api/overview?since=1h')).stuck.map(one => one.session).sort()

  it('ends with the session, with what a person says, and when the agent goes on; its session is then over', () =>
    withDashboard(async opened => {
      for (const session of ['ends', 'asked', 'goes-on', 'stays']) await tries(opened, session)
      expect(await stuck(opened)).toEqual(['asked', 'ends', 'goes-on', 'stays'])
      await play(opened, '', { session_id: 'ends', hook_event_name: 'SessionEnd', reason: 'exit' })
      await play(opened, '', { session_id: 'asked', hook_event_name: 'UserPromptSubmit', prompt: 'leave it' })
      for (const line of ['ls', 'cat a', 'git status']) await play(opened, line, { session_id: 'goes-on' })
      await play(opened, 'ls', { session_id: 'stays' })
      expect(await stuck(opened)).toEqual(['stays'])
      const live = async (id: string) =>
        (await opened.visitor.get<SessionDetail>(`/api/sessions/claude-code/${id}`)).row.isLive
      expect([await live('ends'), await live('stays')]).toEqual([false, true])
      const gate = await opened.visitor.get<GateDetail>('/api/gates/project%2Ftests-before-commit')
      expect(gate.live.map(one => one.session).sort()).toEqual(['asked', 'goes-on', 'stays'])
    }))

  it('ends with the audit log that knew of it, which began anew after damage', () =>
    withDashboard(async opened => {
      for (const session of ['ended', 'goes-on']) await tries(opened, session)
      await play(opened, '', { session_id: 'ended', hook_event_name: 'SessionEnd', reason: 'exit' })
      expect(await stuck(opened)).toEqual(['goes-on'])
      const file = join(opened.sandbox.home, 'state/signalbox.db')
      for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
      writeFileSync(file, 'this is no database '.repeat(500))
      await tries(opened, 'after')
      expect(await stuck(opened)).toEqual(['after'])
      await tries(opened, 'goes-on')
      expect(await stuck(opened)).toEqual(['after', 'goes-on'])
    }))

  it('ends when somebody lets the gate only observe', () =>
    withDashboard(async opened => {
      await tries(opened, 'stays')
      expect(await stuck(opened)).toEqual(['stays'])
      const relaxed = GATES.replace('tests-before-commit:\n', 'tests-before-commit:\n    mode: observe\n')
      writeFileSync(join(opened.sandbox.project, 'signalbox.yaml'), relaxed)
      // a policy that was just read is not read again for a moment
      await vi.waitFor(async () => expect(await stuck(opened)).toEqual([]), { timeout: 30_000, interval: 100 })
    }))

  it('ends after an hour, where nobody says that the session is over', () =>
    withDashboard(async opened => {
      const { sandbox } = opened
      await tries(opened, 'now')
      const around = { root: sandbox.project, now: Date.now(), expiryHours: 24 }
      const [found] = sandbox.store(store => store.records({ last: 1 }))
      if (!found) throw new Error('no record')
      const old = (minutes: number) =>
        Array.from({ length: 5 }, () => ({
          ...found.record,
          session: `${minutes} min`,
          at: Date.now() - minutes * 60_000,
        }))
      const records = [...old(70), ...old(50)]
      sandbox.store(store => store.transact({ client: 'past', session: '' }, around, () => ({ records, result: 0 })))
      expect(await stuck(opened)).toEqual(['50 min', 'now'])
    }))
})

describe('a trail that somebody cut', { timeout: 60_000 }, () => {
  it('a canary is no session, and how commands begin here is told', () =>
    withDashboard(async opened => {
      const { visitor } = opened
      await play(opened, 'git commit -m x', { session_id: 'signalbox-canary-1' })
      const gate = await visitor.get<GateDetail>('/api/gates/project%2Ftests-before-commit')
      expect([gate.live, gate.card.live]).toEqual([[], { open: 0, closed: 0 }])
      const { program } = await visitor.get<DashboardStatus>('/api/situation')
      expect(program).toMatch(/^(signalbox|npx signalbox|node .*bin\/signalbox\.cjs|.*\/signalbox)$/)
    }))

  it('a project that is nowhere is not taken for one without a policy', () =>
    withDashboard(async ({ visitor }) => {
      for (const path of ['situation', 'policy', 'gates', 'overview']) {
        const { status, text } = await visitor.send(`/api/${path}?project=/nope`)
        expect([path, status, JSON.parse(text).error]).toEqual([path, 404, expect.stringContaining('/nope')])
      }
    }))

  it('a database that is gone, one that was lost before, and records that were cut off or changed', () =>
    withDashboard(async opened => {
      const { visitor, sandbox } = opened
      const file = join(sandbox.home, 'state/signalbox.db')
      const broken = async () => (await visitor.get<DashboardStatus>('/api/situation')).auditLog.broken
      const remove = () => {
        for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
      }
      const alter = (sql: string) => {
        const driver = openDriver(file)
        driver.exec(sql)
        driver.close()
      }
      for (let nth = 0; nth < 6; nth++) await play(opened, `echo ${nth}`)
      expect(await broken()).toBe(undefined)
      remove()
      const told = await visitor.get<DashboardStatus>('/api/situation')
      expect(told).toMatchObject({
        empty: { cause: 'lost', next: 'signalbox doctor' },
        auditLog: { broken: 'the database is missing, with the 6 records in it' },
      })
      expect(told.verdict.word).not.toBe('ENFORCING')
      expect((await sandbox.run(['status'])).stdout).toMatch(/Audit +BROKEN: the database is missing/)
      // as an event without a daemon is answered
      await sandbox.run(['hook', '--client', 'claude-code'], { input: payloadOf('echo after', sandbox.project) })
      expect(await broken()).toMatch(/^records 1 to 6 are lost with an earlier database$/)
      alter('DELETE FROM records WHERE seq = (SELECT max(seq) FROM records)')
      expect(await broken()).toMatch(/^record 8 is missing at the end$/)
    }))

  it('a record that was changed in the middle is found by walking the chain', () =>
    withDashboard(async opened => {
      const { visitor, sandbox } = opened
      for (let nth = 0; nth < 6; nth++) await play(opened, `echo ${nth}`)
      const driver = openDriver(join(sandbox.home, 'state/signalbox.db'))
      driver.exec(`UPDATE records SET json = replace(json, 'echo 2', 'echo 7')`)
      driver.close()
      let broken: string | undefined
      for (const end = Date.now() + 30_000; broken === undefined && Date.now() < end; ) {
        await new Promise(done => setTimeout(done, 200))
        broken = (await visitor.get<DashboardStatus>('/api/situation')).auditLog.broken
      }
      expect(broken).toBe('record 3 was changed')
    }))

  it('what was damaged and is whole again is not called damaged for ever', () =>
    withSandbox({}, async sandbox => {
      const state = join(sandbox.home, 'state')
      const file = join(state, 'signalbox.db')
      const around = { root: '/p', now: Date.now(), expiryHours: 1 }
      const records = [...past({ records: 600, from: Date.now(), days: 0.001 })]
      sandbox.store(store => store.transact({ client: 'past', session: '' }, around, () => ({ records, result: 0 })))
      const driver = openDriver(file)
      driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
      driver.close()
      const whole = readFileSync(file)
      const archive = new DashboardRecords(state)
      writeFileSync(file, Buffer.from(whole).fill(0xff, 4096))
      expect(() => archive.read(trail => trail.before(Number.MAX_SAFE_INTEGER, 1000))).toThrow('cannot be read')
      expect(archive.damage).toContain('damaged')
      writeFileSync(file, whole)
      await until(() => archive.damage === undefined)
      expect(archive.read(trail => trail.last())).toBe(600)
      archive.close()
    }))
})
