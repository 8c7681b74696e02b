import { mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newSession, type Session } from '../../src/engine/index.ts'
import { SqliteStore } from '../../src/store/index.ts'
import { type Stage, withStage } from '../support/in-process-command.ts'

const POLICY = `gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
    rules: [{ while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Run the tests. }]
  pause:
    mode: warn
    initial: open
    scope: agent
    transitions: [{ from: open, to: closed, when: { since: { opened: { seconds: 60 } } } }]
    rules: [{ while: closed, when: { event: tool.before, command: x }, then: deny, message: Wait. }]
  freeze:
    initial: closed
    scope: project
    opens: human
    rules: [{ while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Ask a person. }]
  no-stash: { rules: [{ when: { event: tool.before, command: git stash }, then: deny, message: no }] }
`
const STATE = '.local/state/signalbox'

const inStage = (policy: string | undefined, work: (stage: Stage) => Promise<void>) =>
  withStage(async stage => {
    if (policy !== undefined) stage.put('signalbox.yaml', policy)
    await work(stage)
  })

function remember(stage: Stage, id: string, change: Partial<Session>, now = Date.now(), root = stage.project): void {
  mkdirSync(stage.at(`~/${STATE}`), { recursive: true, mode: 0o700 })
  const store = new SqliteStore(stage.at(`~/${STATE}`))
  store.transact({ client: 'claude-code', session: id }, { root, now, expiryHours: 12 }, ({ session }) => ({
    session: { ...newSession(id, root, now), shared: session.shared, ...change },
    records: [],
    result: 0,
  }))
  store.close()
}

const mark = (at: number, turn = 0, operations = 0) => ({ at, turn, operations })
const open = (at: number, operations = 0) =>
  ({ state: 'open', operations, changed: mark(at), opened: mark(at) }) as const

describe('signalbox gates', () => {
  it('shows no canary of init or doctor', () =>
    inStage(POLICY, async stage => {
      remember(stage, 'signalbox-canary-1', { gates: {} })
      expect(await stage.run(['gates', '--json'])).toBe(0)
      expect(JSON.parse(stage.said).sessions).toEqual([])
    }))

  it('shows the state of each gate in each session, since when, and what moves it', () =>
    inStage(POLICY, async stage => {
      const now = Date.now()
      const gates = {
        'project/tests': { ...open(now - 600_000, 4), opened: mark(now - 600_000) },
        'project/pause@main': open(now - 10_000),
        'project/pause@agent:a1': open(now - 90_000),
      }
      remember(stage, 'sess-one', { gates, turn: 2 })
      remember(stage, 'sess-two', { gates: {} }, now - 60_000)
      expect(await stage.run(['gates'], { width: 200 })).toBe(0)
      // however long this took
      const said = stage.said.replace(/last event \d s/, 'last event 0 s').replace(/for 1\d s/, 'for 10 s')
      expect(said).toBe(`In every session of /proj
  freeze  CLOSED  since the session started; opened by a person
claude-code sess-one, last event 0 s ago
  tests               open    for 10 min, 4 operations, 2 turns; closed by writing or deleting a file
  pause @main (warn)  open    for 10 s, 2 turns; closed by waiting 60 s
  pause @a1 (warn)    CLOSED  from the next event on; nothing opens it
claude-code sess-two, last event 1 min ago
  tests               CLOSED  since the session started; opened by \`npm test\` that succeeds
  pause @main (warn)  open    since the session started; closed by waiting 60 s
Always enforced, without a state: no-stash
`)
    }))

  it('is JSON for programs, of one session by the beginning of its id, wherever it is', () =>
    inStage(POLICY, async stage => {
      const now = Date.now()
      remember(stage, 'sess-one', { gates: { 'project/tests': open(now - 5000) } })
      remember(stage, 'other', { gates: {} })
      const shared = { 'project/freeze': open(now - 1000) }
      remember(stage, 'third', { gates: {}, shared })
      expect(await stage.run(['gates', '--session', 'sess', '--json'], { cwd: stage.home })).toBe(0)
      const { project, projectGates: all, sessions, stateless } = JSON.parse(stage.said)
      expect(project).toBe('/proj')
      expect(sessions).toHaveLength(1)
      expect(sessions[0]).toMatchObject({ client: 'claude-code', session: 'sess-one' })
      expect(sessions[0].gates[0]).toMatchObject({
        ...{ gate: 'project/tests', state: 'open', openedAt: now - 5000, closedAt: null },
        changedBy: ['writing or deleting a file'],
      })
      expect(all[0]).toMatchObject({ gate: 'project/freeze', scope: 'project', state: 'open' })
      expect(stateless).toEqual(['no-stash'])
      expect(await stage.run(['gates', '--session', 'sess'], { cwd: stage.home })).toBe(0)
      expect(stage.said).toContain('claude-code sess-one')
      expect(await stage.run(['gates', '--session', 'nobody'])).toBe(2)
      expect(stage.said).toContain('there is no active session `nobody`')
      expect(await stage.run(['gates', '--session', ''])).toBe(2)
    }))

  it('counts the turns of all sessions for a gate of the project', () =>
    inStage(POLICY, async stage => {
      const now = Date.now()
      const freeze = { ...open(now - 600_000), turns: 7, changed: mark(now - 600_000, 4) }
      remember(stage, 'sess-one', { gates: {}, shared: { 'project/freeze': freeze }, turn: 1 })
      expect(await stage.run(['gates'], { width: 200 })).toBe(0)
      expect(stage.said).toMatch(/freeze {2}open {4}for 10 min, 3 turns; /)
    }))

  it('fits a narrow window', () =>
    inStage(POLICY, async stage => {
      remember(stage, 'sess-one', {})
      expect(await stage.run(['gates'], { width: 40 })).toBe(0)
      expect(Math.max(...stage.said.split('\n').map(line => line.length))).toBeLessThanOrEqual(40)
    }))

  it.each([
    ['no policy', undefined, 'No policy here'],
    ['a policy that cannot be read', 'gates: [', 'signalbox.yaml is broken'],
    ['no session yet', POLICY, 'No session is active in this project. A new session starts with\n  tests  '],
    ['an empty policy', 'gates: {}', ''],
  ])('%s', (_, policy, said) =>
    inStage(policy, async stage => {
      expect(await stage.run(['gates'], { width: 200 })).toBe(0)
      expect(stage.said).toContain(said)
      // it only looks
      expect(stage.has(`~/${STATE}/signalbox.db`)).toBe(false)
    }),
  )

  it('a state that is damaged is one line', () =>
    inStage(POLICY, async stage => {
      stage.put(`~/${STATE}/signalbox.db`, 'no database at all, '.repeat(400))
      expect(await stage.run(['gates'], { width: 200 })).toBe(2)
      expect(stage.said).toMatch(
        /^signalbox gates: the database is damaged .*run `signalbox doctor` to see what to do\n$/,
      )
    }))
})
